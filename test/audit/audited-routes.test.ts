import { describe, expect, test } from "vitest";
import { needs } from "../../lib/functions/function-needs.ts";
import type { Needs } from "../../lib/functions/needs/needs.ts";
import { audited, auditModeOf } from "../../shared/routes/audited.ts";
import { type Family, families } from "../../shared/routes/index.ts";
import type { Route, RouteTable } from "../../shared/routes/route.ts";

const rows = (Object.entries<RouteTable>(families) as [Family, RouteTable][]).flatMap(([family, table]) =>
  Object.entries<Route>(table).map(([operation, route]) => ({ family, operation, route })),
);

describe("which routes the audit records", () => {
  test.each(rows.filter(({ route }) => route.method !== "GET"))(
    "is decided for $operation",
    ({ operation }) => {
      expect(audited, `shared/routes/audited.ts says nothing of ${operation}`).toHaveProperty(operation);
    },
  );

  test("is said of no route that is not there, and every exemption says why", () => {
    const known = new Set(rows.map(({ operation }) => operation));
    expect(Object.keys(audited).filter((operation) => !known.has(operation))).toEqual([]);
    for (const decided of Object.values(audited))
      if (typeof decided !== "string") expect(decided.unaudited.length).toBeGreaterThan(15);
  });

  test("is recorded whenever only an admin may ask for it", () => {
    const exempt = rows.filter(
      ({ operation, route }) =>
        route.method !== "GET" && route.scopes.includes("platform:admin") && !auditModeOf(operation),
    );
    expect(exempt).toEqual([]);
  });
});

describe("the table of the audit", () => {
  const ofAudit = Object.entries<Needs>(needs).flatMap(([name, { tables }]) => {
    const actions = tables?.audit?.actions;
    return actions ? [[name, actions] as const] : [];
  });

  test("is written by every function with an audited route", () => {
    const writers = new Set(
      ofAudit.filter(([, actions]) => actions.includes("PutItem")).map(([name]) => name),
    );
    const families = new Set(
      rows.filter(({ operation }) => auditModeOf(operation)).map(({ family }) => family),
    );
    expect([...families].filter((family) => !writers.has(family))).toEqual([]);
  });

  test("is changed by the sealer alone, read by it and by the audit's own routes, and nothing deletes from it", () => {
    const those = (actions: readonly string[]) =>
      ofAudit.filter(([, own]) => own.some((action) => actions.includes(action))).map(([name]) => name);
    expect(those(["UpdateItem"])).toEqual(["sweeper"]);
    expect(those(["GetItem", "BatchGetItem", "Query", "Scan"]).sort()).toEqual(["audit", "sweeper"]);
    expect(those(["DeleteItem", "BatchWriteItem"])).toEqual([]);
  });
});
