import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tableNames } from "../../shared/settings/table-env.ts";
import { type TableLayout, tables } from "../../shared/stores/tables.ts";
import { synthesized } from "../infra/synthesized.ts";
import { readRecording, recordedReleases } from "./recording.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/releases.md"), "utf8");
/** What the guide leaves out in each deployment, the last of which leaves out nothing. */
const steps = [...guide.matchAll(/withoutIndexes=(\S+)/g)].map(([, names = ""]) => names.split(","));

/** `service_accounts` is `ServiceAccounts` in names that CloudFormation makes. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");

/** Tables of a release, by today's names; undefined for one that came later. */
function tablesOf(release: string) {
  const { tables: recorded } = readRecording(release);
  return new Map(
    tableNames.map((name) => [
      name,
      recorded.find(({ definition }) => plain(definition.TableName ?? "").includes(`data${plain(name)}`))
        ?.definition,
    ]),
  );
}

describe.each(recordedReleases())("the tables of release %s", (release) => {
  const before = tablesOf(release);

  test("keep their keys, and the indexes that they have: CloudFormation would replace them", () => {
    for (const [name, table] of before) {
      if (!table) continue;
      expect(table.KeySchema?.map(({ AttributeName }) => AttributeName)).toEqual(["pk", "sk"]);
      const { indexes }: TableLayout = tables[name];
      for (const { IndexName = "", KeySchema = [], Projection } of table.GlobalSecondaryIndexes ?? []) {
        const index = indexes[IndexName];
        expect([name, IndexName, index?.pk, index?.sk]).toEqual([
          name,
          IndexName,
          ...KeySchema.map(({ AttributeName }) => AttributeName),
        ]);
        const project = index?.project === "keys" ? undefined : index?.project.toSorted();
        expect([name, IndexName, project]).toEqual([
          name,
          IndexName,
          Projection?.NonKeyAttributes?.toSorted(),
        ]);
      }
    }
  });

  test("get at most one index more in each deployment that the guide names", async () => {
    const present = new Map(
      [...before].map(([name, table]) => [
        name,
        new Set((table?.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => IndexName ?? "")),
      ]),
    );
    expect(steps.length).toBeGreaterThan(1);
    // A deployment that has an index does not leave it out.
    const isMissing = (left: string): boolean => {
      const [name = "", index = ""] = left.split(".");
      return ![...present].some(([table, has]) => table === name && has.has(index));
    };
    for (const step of [...steps.filter((left) => left.every(isMissing)), []]) {
      for (const name of tableNames) {
        const has = present.get(name) ?? new Set();
        const gets = Object.keys(tables[name].indexes).filter((index) => !step.includes(`${name}.${index}`));
        // A table that is new gets all of its indexes at once.
        if (before.get(name)) expect(gets.filter((index) => !has.has(index)).length).toBeLessThan(2);
        expect([...has].filter((index) => !gets.includes(index))).toEqual([]);
        present.set(name, new Set(gets));
      }
    }
  });
});

test("an index is left out where the setting names it, and a name that is none is refused", async () => {
  const of = async (withoutIndexes: string) =>
    (await synthesized({ withoutIndexes })).ofType("AWS::DynamoDB::GlobalTable");
  const runs = (await of("runs.by_owner, runs.by_status")).find(({ id }) => id.startsWith("Runs"));
  const names = runs?.properties.GlobalSecondaryIndexes.map(
    ({ IndexName }: { IndexName: string }) => IndexName,
  );
  expect(names).toEqual(Object.keys(tables.runs.indexes).filter((name) => !/^by_(owner|status)$/.test(name)));
  await expect(of("runs.by_time")).rejects.toThrow("withoutIndexes: runs.by_time: there is no such index");
});
