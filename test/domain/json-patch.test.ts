import fc from "fast-check";
import jsonpatch from "fast-json-patch";
import { expect, test } from "vitest";
import { jsonPatch } from "../../shared/domain/json-patch.ts";

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));
const state = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("a/b", "m~n", "~1")), json, {
  noNullPrototype: true,
});

test("makes one state of another, as the library of the official client applies it", () => {
  fc.assert(
    fc.property(state, state, (before, after) => {
      fc.pre(![before, after].some((one) => Object.hasOwn(one, "__proto__")));
      const { newDocument } = jsonpatch.applyPatch(
        structuredClone(before),
        jsonPatch(before, after) as never,
        true,
        true,
      );
      expect(newDocument).toEqual(after);
    }),
    { numRuns: 200 },
  );
});

test("has nothing for what stays, and names what changes", () => {
  expect(jsonPatch({ a: 1, b: { c: [1] } }, { a: 1, b: { c: [1] } })).toEqual([]);
  expect(jsonPatch({ a: 1, "x/y": { "m~n": 1 } }, { "x/y": { "m~n": 2 }, z: [] })).toEqual([
    { op: "remove", path: "/a" },
    { op: "replace", path: "/x~1y/m~0n", value: 2 },
    { op: "add", path: "/z", value: [] },
  ]);
});
