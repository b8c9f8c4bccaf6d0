import { expect, test } from "vitest";
import { changeToInstant, newestFirst, type ObjectEntry } from "../../package/recovery/object-versions.ts";

const at = (second: number): Date => new Date(second * 1000);
const version = (id: string, second: number, etag = id, isLatest = false): ObjectEntry => ({
  id,
  at: at(second),
  etag,
  isMarker: false,
  isLatest,
});
const marker = (id: string, second: number, isLatest = false): ObjectEntry => ({
  id,
  at: at(second),
  isMarker: true,
  isLatest,
});

test.for<[string, readonly ObjectEntry[], unknown]>([
  ["an object that was there and is there", [version("a", 1)], { kind: "none" }],
  ["one that came later", [version("a", 20)], { kind: "remove" }],
  ["one that came and went later", [marker("b", 30), version("a", 20)], { kind: "none" }],
  ["one that was deleted later", [marker("b", 20), version("a", 1)], { kind: "undelete", markers: ["b"] }],
  [
    "one that was deleted twice",
    [marker("c", 30), marker("b", 20), version("a", 1)],
    { kind: "undelete", markers: ["c", "b"] },
  ],
  ["one with other bytes", [version("b", 20), version("a", 1)], { kind: "copy", version: "a" }],
  [
    "one that was written again with the same bytes",
    [version("b", 20, "x"), version("a", 1, "x")],
    { kind: "none" },
  ],
  [
    "one that was written again and deleted",
    [marker("c", 30), version("b", 20), version("a", 1)],
    { kind: "copy", version: "a" },
  ],
  [
    "one that was deleted then and came again",
    [version("c", 20), marker("b", 5), version("a", 1)],
    { kind: "remove" },
  ],
])("%s", ([, history, change]) => {
  expect(changeToInstant(history, at(10))).toEqual(change);
});

test("of two entries of one second, what the key holds now is the newer", () => {
  const written = [version("b", 5, "b", true), marker("a", 5)];
  expect(newestFirst(written.toReversed()).map(({ id }) => id)).toEqual(["b", "a"]);
});
