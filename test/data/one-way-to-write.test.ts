import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const product = ["bin", "functions", "lib", "local", "package", "registry", "shared"];
const THE_ONE_WAY = "shared/data/";

/** What only who spells, sends or judges a write by itself needs to name. */
const byHand =
  /\b(UpdateExpression|ConditionExpression|ConditionalCheckFailed\w*|CancellationReasons|Transaction(Canceled|Conflict)Exception|(Put|Update|Delete|TransactWrite|BatchWrite)(Item)?Command)\b/;

/** Copies whole items between tables for an operator, while nothing else writes: there is nothing to guard. */
const COPIES = "package/recovery/table-access.ts";

const sources = product.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => posix.join(folder, name)),
);

test("every write of the product is spelled, sent and judged in one place", () => {
  const others = sources.filter((path) => !path.startsWith(THE_ONE_WAY) && path !== COPIES);
  expect(others.filter((path) => byHand.test(readFileSync(join(root, path), "utf8")))).toEqual([]);
});

test("the place itself would be found", () => {
  const found = sources.filter((path) => byHand.test(readFileSync(join(root, path), "utf8")));
  expect(found).toEqual(
    expect.arrayContaining(["write.ts", "writes.ts"].map((name) => `${THE_ONE_WAY}${name}`)),
  );
});
