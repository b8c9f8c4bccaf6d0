import { readFileSync } from "node:fs";
import * as v from "valibot";
import { expect, test } from "vitest";
import {
  type StoredRecord,
  storedShapesDoc,
  storedShapesFile,
  unraisedShapes,
} from "../../scripts/stored-shapes-doc.ts";

const page = readFileSync(storedShapesFile, "utf8");

test("no stored shape has changed without its version", () => {
  expect(unraisedShapes(page)).toEqual([]);
});

test("docs/stored-shapes.md is what npm run docs writes", () => {
  expect(page).toBe(storedShapesDoc());
});

test("a field more, under the same version, is noticed; under the next one it is as it should be", () => {
  const record = (shape: number, entries: v.ObjectEntries): Record<string, StoredRecord> => ({
    pet: { table: "runs", shape, schema: v.object(entries) },
  });
  const before = storedShapesDoc(record(1, { name: v.string() }));
  const changed = { name: v.string(), age: v.optional(v.number()) };
  expect(unraisedShapes(before, record(1, { name: v.string() }))).toEqual([]);
  expect(unraisedShapes(before, record(1, changed))).toEqual([expect.stringContaining("pet")]);
  expect(unraisedShapes(before, record(2, changed))).toEqual([]);
  const explained = { name: v.pipe(v.string(), v.description("What it is called")) };
  expect(unraisedShapes(before, record(1, explained))).toEqual([]);
});
