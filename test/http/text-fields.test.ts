import * as v from "valibot";
import { expect, test } from "vitest";
import { textFields } from "../../shared/http/input/text-fields.ts";

const schema = v.object({ tags: v.nullable(v.optional(v.array(v.string()))), name: v.string() });

test("a field is a list where its entry is one, behind optional and nullable too; else the last one counts", () => {
  const pairs: [string, string][] = [
    ["tags", "a"],
    ["name", "first"],
    ["tags", "b"],
    ["name", "last"],
    ["other", "x"],
  ];
  expect(textFields(pairs, schema)).toEqual({ tags: ["a", "b"], name: "last", other: "x" });
});

test("without a schema every field is single", () => {
  const pairs: [string, string][] = [
    ["a", "1"],
    ["a", "2"],
  ];
  expect(textFields(pairs, undefined)).toEqual({ a: "2" });
});

test("a field named like a member that all objects have is a field like any other", () => {
  const fields = textFields(
    [
      ["__proto__", "x"],
      ["", "said of nothing"],
      ["constructor", "y"],
    ],
    schema,
  );
  expect(Object.entries(fields)).toEqual([
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);
});
