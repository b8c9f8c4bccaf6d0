import { describe, expect, test } from "vitest";
import type { FunctionModel } from "../../local/template/functions.ts";
import { grantsOf, shortName } from "../../scripts/grants/granted.ts";
import { grantedFunctions } from "../../scripts/grants/granted-functions.ts";
import { justifies } from "../../scripts/grants/is-justified.ts";
import { type Justified, justified } from "../../scripts/grants/justified.ts";
import { unusedGrants } from "../../scripts/grants/used.ts";
import "../support/bundled.ts";

const granted = grantsOf(await grantedFunctions());

/** Every single thing that an entry gives a reason for. */
const singlesOf = ({ bundles, actions, on, reason }: Justified): Justified[] =>
  (bundles === "all" ? ["all" as const] : bundles.map((bundle) => [bundle])).flatMap((named) =>
    actions.flatMap((action) =>
      on.map((pattern) => ({ bundles: named, actions: [action], on: [pattern], reason })),
    ),
  );

test.each(justified)("what has a reason to stay is still granted: $reason", (entry) => {
  const stale = singlesOf(entry).filter((single) => !granted.some((grant) => justifies(single, grant)));
  expect(stale).toEqual([]);
});

describe("the report of unused grants", () => {
  const table = "arn:aws:dynamodb:us-east-1:000000000000:table/agent-platform-local-data-Jobs0A1B2C3D";
  const get = { bundle: "queue", action: "dynamodb:GetItem", resource: table };

  test("takes functions of one bundle for one, and names resources shortly", () => {
    const fn = {
      file: "/dist/runs/index.mjs",
      statements: [statement(["s3:GetObject"], ["arn:aws:s3:::objects/*"])],
    };
    // Only what the report reads of a function.
    const twins = [fn, fn] as unknown as FunctionModel[];
    expect(grantsOf(twins)).toEqual([
      { bundle: "runs", action: "s3:GetObject", resource: "arn:aws:s3:::objects/*" },
    ]);
    expect(shortName(`${table}/index/by_status`)).toBe("Jobs/index/by_status");
  });

  test("leaves out what was used, by its whole name or by that of tests in one process", () => {
    expect(unusedGrants([get], [get])).toEqual([]);
    const inProcess = "arn:aws:dynamodb:us-east-1:000000000000:table/jobs";
    expect(unusedGrants([get], [{ ...get, resource: inProcess }])).toEqual([]);
    const folder = { ...get, action: "s3:GetObject", resource: "arn:aws:s3:::objects/sessions/*" };
    expect(unusedGrants([folder], [{ ...folder, resource: "arn:aws:s3:::objects/sessions/a/b" }])).toEqual(
      [],
    );
  });

  test.each([
    ["another function", { ...get, bundle: "runs" }],
    ["another action", { ...get, action: "dynamodb:PutItem" }],
    ["another table", { ...get, resource: table.replace("Jobs", "Runs") }],
    ["an index of the table", { ...get, resource: `${table}/index/by_status` }],
  ])("keeps a grant that only %s used", (_, used) => {
    expect(unusedGrants([get], [used])).toEqual([get]);
  });
});

function statement(actions: string[], resources: string[]) {
  return { effect: "Allow", actions, resources, conditional: false } as const;
}
