import { describe, expect, test } from "vitest";
import { compileSchema } from "../../shared/engine/tool/compile-schema.ts";

async function checkOf(schema: object) {
  const compiled = await compileSchema(schema);
  if (!compiled.usable) throw new Error(compiled.reason);
  return compiled.check;
}
const deep = (levels: number): object => (levels === 0 ? {} : { items: deep(levels - 1) });
const circle = { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } };

describe("a schema that a stranger wrote", () => {
  test.each([
    ["too long", { description: "x".repeat(70_000) }, /longer than 65536 bytes/],
    ["too deep", deep(40), /nested deeper than 32/],
    ["fetched", { properties: { a: { $ref: "https://example.com/schema.json" } } }, /nothing outside itself/],
    ["dynamic", { $dynamicRef: "other.json#node" }, /nothing outside itself/],
    ["asynchronous", { $async: true, type: "object" }, /\$async/],
    ["no schema", { type: "banana" }, /not a JSON Schema/],
    ["nothing but itself", { $ref: "#" }, /not a JSON Schema/],
    ["a circle", circle, /not a JSON Schema: Maximum call stack/],
    ["of a missing part", { $ref: "#/$defs/nothing" }, /not a JSON Schema/],
  ])("is refused when it is %s", async (_why, schema, reason) => {
    expect(await compileSchema(schema)).toEqual({ usable: false, reason: expect.stringMatching(reason) });
  });

  test("may refer to itself, and ask for formats", async () => {
    const check = await checkOf({
      $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
      properties: { tree: { $ref: "#/$defs/node" }, at: { type: "string", format: "date-time" } },
    });
    expect(check({ tree: { next: { next: {} } }, at: "2026-11-21T05:00:00Z" })).toBeUndefined();
    expect(check({ tree: { next: { next: 1 } } })).toMatch(/must be object/);
    expect(check({ at: "soon" })).toMatch(/date-time/);
  });

  test("cannot hold the process up with a pattern that runs away", async () => {
    const check = await checkOf({ type: "string", pattern: "^(a+)+$" });
    const start = performance.now();
    expect(() => check(`${"a".repeat(60)}!`)).toThrow(/timed out/);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  test("leaves nothing behind for the next one of the same name", async () => {
    const first = await checkOf({ $id: "urn:example:x", type: "string" });
    const second = await checkOf({ $id: "urn:example:x", type: "number" });
    expect([first("a"), second(1)]).toEqual([undefined, undefined]);
    expect(second("a")).toMatch(/must be number/);
  });
});
