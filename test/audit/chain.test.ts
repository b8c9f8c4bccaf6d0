import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { transact } from "../../shared/data/index.ts";
import { utcDay } from "../../shared/domain/utc-day.ts";
import { auditKey, auditPut } from "../../shared/stores/audit/audit-item.ts";
import { listAudit } from "../../shared/stores/audit/list-audit.ts";
import { exportSeals, sealAudit } from "../../shared/stores/audit/seal-audit.ts";
import { sealKey } from "../../shared/stores/audit/seal-item.ts";
import { verifyAudit } from "../../shared/stores/audit/verify-audit.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

/** Noon of a day of its own for each test: a day's chain is checked as a whole. */
let days = 0;
function aDay(): { at_ms: number; day: string; later: number } {
  days += 1;
  const at_ms = Date.UTC(2030, 0, days, 12);
  return { at_ms, day: utcDay(at_ms / 1000), later: at_ms + 3_600_000 };
}

const entry = (at_ms: number, name: string) => ({ at_ms, operation: "tested", target: { name } });

describe("the chain of audit records", () => {
  test("links every record once, also when two processes seal at the same time", async () => {
    const { db } = stores;
    const { at_ms, day, later } = aDay();
    await Promise.all(Array.from({ length: 60 }, (_, n) => auditWriter(db)(entry(at_ms + n, `r${n}`))));
    expect(await verifyAudit(db, day, later)).toMatchObject({ intact: false, records: 0 });
    expect(await verifyAudit(db, day, at_ms + 60_000)).toMatchObject({ intact: true, waiting: 60 });
    const both = await Promise.all([sealAudit(db, false, later), sealAudit(db, false, later)]);
    const sealed = both.flat().concat(await sealAudit(db, false, later));
    const places = sealed.flatMap(({ records }) => records.map(({ place }) => place));
    expect(new Set(places).size).toBe(60);
    expect(places).toHaveLength(60);
    expect(await verifyAudit(db, day, later)).toEqual({
      day,
      intact: true,
      seals: sealed.length,
      records: 60,
      waiting: 0,
      head: sealed.sort((a, b) => a.number - b.number).at(-1)?.hash,
      problems: [],
    });
  });

  test("shows a record that was changed, deleted or put there by hand, and a seal that is missing", async () => {
    const { db } = stores;
    const { at_ms, day, later } = aDay();
    for (const name of ["changed", "deleted", "kept"]) await auditWriter(db)(entry(at_ms, name));
    await sealAudit(db, false, later);
    const { records } = await listAudit(db, {}, { from_ms: at_ms, to_ms: later }, { limit: 10 });
    const placeOf = (name: string) => {
      const record = records.find(({ target }) => target.name === name);
      return auditKey(`${record?.at_ms}#${record?.id}`);
    };
    const { client, tables } = db;
    await client.send(
      new UpdateCommand({
        TableName: tables.audit,
        Key: placeOf("changed"),
        UpdateExpression: "SET principal = :other",
        ExpressionAttributeValues: { ":other": "mallory" },
      }),
    );
    await client.send(new DeleteCommand({ TableName: tables.audit, Key: placeOf("deleted") }));
    const forged = auditPut(db, entry(at_ms, "forged"));
    await transact(db, { forged: { ...forged, item: { ...forged.item, due: undefined, seal: 1 } } });
    const { intact, problems } = await verifyAudit(db, day, later);
    expect(intact).toBe(false);
    expect(problems.map(({ kind }) => kind).sort()).toEqual([
      "record_changed",
      "record_missing",
      "record_not_sealed",
    ]);
    const seal = (await sealAfter(at_ms + 1, later)).at(-1);
    if (!seal?.previous) throw new Error("no seal");
    await client.send(new DeleteCommand({ TableName: tables.audit, Key: sealKey(seal.previous) }));
    const cut = await verifyAudit(db, day, later);
    expect(cut.problems).toContainEqual({ kind: "seal_missing", what: expect.any(String) });
  });

  test("shows that the end of the chain was cut off", async () => {
    const { db } = stores;
    const { at_ms, day, later } = aDay();
    const [first] = await sealAfter(at_ms, later);
    const [last] = await sealAfter(at_ms + 1, later);
    if (!first || !last) throw new Error("no seal");
    await db.client.send(new DeleteCommand({ TableName: db.tables.audit, Key: sealKey(last) }));
    const { problems } = await verifyAudit(db, day, later);
    expect(problems).toContainEqual({ kind: "seal_missing", what: String(last.number) });
  });

  test("misses no seal that retention has deleted, but every other one", async () => {
    const { db } = stores;
    const { at_ms, later } = aDay();
    const [first] = await sealAfter(at_ms, later);
    const next = aDay();
    await sealAfter(next.at_ms, next.later);
    if (!first) throw new Error("no seal");
    await db.client.send(new DeleteCommand({ TableName: db.tables.audit, Key: sealKey(first) }));
    expect(await verifyAudit(db, next.day, next.later)).toMatchObject({
      problems: [{ kind: "seal_missing" }],
    });
    const cutAt = at_ms + db.auditRetentionDays * 86_400_000;
    expect(await verifyAudit(db, next.day, cutAt)).toMatchObject({ intact: true, problems: [] });
  });

  test("is exported as lines of JSON, one object for each seal", async () => {
    const { db, objects } = stores;
    const { at_ms, day, later } = aDay();
    await auditWriter(db)(entry(at_ms, "exported"));
    const [seal] = await sealAudit(db, true, later);
    expect(await exportSeals(db, objects)).toBe(1);
    expect(await exportSeals(db, objects)).toBe(0);
    const key = `audit/${day}/${String(seal?.number).padStart(8, "0")}.jsonl`;
    const lines = Buffer.from(objects.held.get(key) ?? [])
      .toString("utf8")
      .trimEnd()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([seal, { target: { name: "exported" } }]);
  });

  test("is read back page by page, the newest first, across months", async () => {
    const { db } = stores;
    const at_ms = Date.UTC(2031, 0, 31, 23, 59, 59, 998);
    for (let n = 0; n < 5; n += 1)
      await auditWriter(db)({ ...entry(at_ms + n, `m${n}`), principal: n % 2 ? "b" : "a" });
    const span = { from_ms: at_ms, to_ms: at_ms + 5 };
    const names: (string | undefined)[] = [];
    let before: string | undefined;
    do {
      const page = await listAudit(db, { principal: "a" }, span, { limit: 2, before });
      names.push(...page.records.map(({ target }) => target.name));
      before = page.next;
    } while (before !== undefined);
    expect(names).toEqual(["m4", "m2", "m0"]);
  });
});

async function sealAfter(at_ms: number, later: number) {
  await auditWriter(stores.db)(entry(at_ms, "one more"));
  return sealAudit(stores.db, false, later);
}
