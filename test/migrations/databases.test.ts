import { describe, expect, test } from "vitest";
import { needs } from "../../lib/functions/function-needs.ts";
import type { Item } from "../../shared/data/item.ts";
import { FIRST_VERSION } from "../../shared/domain/databases/plan-migration.ts";
import { databases, versionsOf } from "../../shared/migrations/databases.ts";
import type { Change } from "../../shared/migrations/migration.ts";
import { recordShapes } from "../../shared/migrations/record-shapes.ts";
import { runPlaces } from "../../shared/migrations/run-places.ts";
import { runItem, unlistedRunItem } from "../../shared/stores/runs/run-item.ts";
import { aJob, aRunOf } from "../support/records.ts";

describe.each(databases.map((database) => [database.id, database] as const))("database %s", (_, database) => {
  test("has versions that count up by one", () => {
    const versions = versionsOf(database);
    expect(versions).toEqual(versions.map((_version, index) => FIRST_VERSION + index));
  });

  test("has migrations whose tables the housekeeper may read whole and change, and no others", () => {
    const tables = database.migrations.flatMap(({ steps }) => steps.map(({ table }) => table));
    const scanned = Object.entries(needs.housekeeper.tables).filter(([, { actions }]) =>
      (actions as readonly string[]).includes("Scan"),
    );
    expect(scanned.map(([name]) => name).sort()).toEqual([...new Set(tables)].sort());
    for (const [, { actions }] of scanned)
      expect(actions).toEqual(expect.arrayContaining(["GetItem", "UpdateItem"]));
  });
});

describe("say-shapes", () => {
  const applied = (record: Item, { set = {}, remove = [] }: Change = {}): Item =>
    Object.fromEntries(Object.entries({ ...record, ...set }).filter(([name]) => !remove.includes(name)));
  const kinds: readonly [string, string][] = [
    ["jobs", "key"],
    ["jobs", "ended#1790000000"],
    ["runs", "event#000001#0000000000"],
    ["runs", "tool#call_1#abc"],
    ["service_accounts", "name"],
    ["budgets", "day#2026-11-21"],
  ];
  const stepOf = (table: string) => {
    const step = recordShapes.steps.find((one) => one.table === table);
    if (!step) throw new Error(`there is no step for ${table}`);
    return step;
  };

  test.each(kinds)("says the shape of %s %s once, and takes it back", (table, sk) => {
    const { up, down } = stepOf(table);
    const before: Item = { pk: "some", sk };
    const after = applied(before, up(before));
    expect(after).toEqual({ ...before, shape: 1 });
    expect(up(after)).toBeUndefined();
    expect(applied(after, down(after))).toEqual(before);
    expect(down(before)).toBeUndefined();
  });

  test.each([
    ["jobs", "job"],
    ["runs", "run#1"],
    ["service_accounts", "window"],
  ])("leaves %s %s alone", (table, sk) => {
    const { up, down } = stepOf(table);
    expect(up({ pk: "some", sk })).toBeUndefined();
    expect(down({ pk: "some", sk, shape: 1 })).toBeUndefined();
  });
});

describe("place-runs", () => {
  const [{ up, down } = { up: () => undefined, down: () => undefined }] = runPlaces.steps;
  const applied = (record: Item, { set = {}, remove = [] }: Change = {}): Item =>
    Object.fromEntries(Object.entries({ ...record, ...set }).filter(([name]) => !remove.includes(name)));
  const statuses = ["PENDING", "RUNNING", "COMPLETED", "PAUSED", "CANCELLED", "ERROR"] as const;

  test.each(statuses)("places a run that is %s as its creation would have, and takes it back", (status) => {
    const job = aJob({ component_id: "a/b", owner: "ma#ria" });
    for (const run of [aRunOf(job, { status }), aRunOf(aJob({ owner: null, user_id: null }), { status })]) {
      const before = unlistedRunItem(run);
      const after = applied(before, up(before));
      expect(after).toEqual(runItem(run));
      expect(up(after)).toBeUndefined();
      expect(applied(after, down(after))).toEqual(before);
      expect(down(before)).toBeUndefined();
    }
    // The run may end while this is written: then it is computed again.
    expect(up(unlistedRunItem(aRunOf(job, { status })))?.from).toEqual(["status"]);
  });

  test("leaves alone what is part of another run, copies, and other records", () => {
    const run = aRunOf(aJob());
    const member = { ...run, output: { ...run.output, parent_run_id: "another" } };
    const copy = { ...run, output: { ...run.output, forked_from_session_id: "another" } };
    for (const item of [
      runItem(member),
      unlistedRunItem(copy),
      { pk: "run#1", sk: "event#000001#0000000000" },
    ]) {
      expect(up(item)).toBeUndefined();
      expect(down(item)).toBeUndefined();
    }
  });
});
