import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import fc from "fast-check";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CreateRunForm } from "../../shared/schemas/runs/run-forms.ts";
import { isStorable } from "../../shared/schemas/values/storable.ts";
import { startStores, type TestStores } from "../support/stores.ts";

/** What clients hand over as free JSON, against the table that is to keep it. */
let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const table = () => stores.db.tables.sessions;
const key = { pk: "free-json", sk: "x" };

/** As deep as the deepest place of a record that takes free JSON. */
const placed = (value: unknown) => ({ a: { b: [{ c: [value] }] } });

async function putAndGet(value: unknown): Promise<unknown> {
  const { client } = stores.db;
  await client.send(new PutCommand({ TableName: table(), Item: { ...key, kept: placed(value) } }));
  const found = await client.send(new GetCommand({ TableName: table(), Key: key, ConsistentRead: true }));
  return found.Item?.kept;
}

const names = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom("a", "a.b", "#", ":x", "", "__proto__", "constructor", "toString", "日本語", "🚂"),
);
const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.constantFrom(9.9e125, -9.9e125, 1e126, 1e-130, 9e-131, 2 ** 64, 1e300, 0.1 + 0.2),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(numbers, fc.boolean(), fc.constant(null), fc.string({ unit: "grapheme" }), fc.constant("")),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie("tree")), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
  ),
}));
const nested = (value: unknown, levels: number): unknown =>
  Array.from({ length: levels }).reduce((inner, _, i) => (i % 2 ? [inner] : { in: inner }), value);
/** Often at the edge of what is too deep. */
const json = fc
  .tuple(tree, fc.oneof(fc.constant(0), fc.integer({ min: 15, max: 40 })))
  .map(([value, levels]) =>
    // As a client's text would be read: -0 and the like are gone.
    JSON.parse(JSON.stringify(nested(value, levels))),
  );

test("what is taken for storable is kept and comes back as it was", async () => {
  const property = fc.asyncProperty(
    json.filter((value) => isStorable(value)),
    async (value) => {
      expect(await putAndGet(value)).toEqual(placed(value));
    },
  );
  await fc.assert(property, { numRuns: 100 });
});

test("a run's form holds free JSON that the table keeps, or is refused and says why", () => {
  const fields = ["metadata", "session_state", "dependencies", "output_schema"] as const;
  const property = fc.property(fc.constantFrom(...fields), tree, fc.nat(40), (field, value, levels) => {
    const given = { in: nested(value, levels) };
    const parsed = v.safeParse(CreateRunForm, { message: "hi", [field]: JSON.stringify(given) });
    expect(parsed.success).toBe(isStorable(given));
    if (parsed.success) expect(parsed.output[field]).toEqual(JSON.parse(JSON.stringify(given)));
    else
      expect(parsed.issues[0]).toMatchObject({
        message: expect.stringMatching(/^value_error\|.*numbers must/),
      });
  });
  fc.assert(property, { numRuns: 300 });
});

test.each([
  ["a number beyond the table's", '{"a":1e126}'],
  ["a number that is not finite here", '{"a":1e999}'],
  ["a number too close to zero", '{"a":1e-131}'],
  ["a member without a name", '{"a":{"":1}}'],
  ["a name that objects lose", '{"a":{"__proto__":{}}}'],
  ["a name that is longer than any", `{"${"n".repeat(20_001)}":1}`],
  ["more levels than an item has", `${'{"a":'.repeat(25)}1${"}".repeat(25)}`],
  ["more levels than a stack has", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`],
])("a field of a run's form with %s is refused", (_, text) => {
  const form = (field: string, value: string) =>
    v.safeParse(CreateRunForm, { message: "hi", [field]: value }).success;
  const media = `[${text.slice(0, -1)},"url":"https://example.com/a.png"}]`;
  const given = [
    ...["metadata", "session_state", "dependencies", "output_schema", "knowledge_filters"].map((name) =>
      form(name, text),
    ),
    ...["images", "audio", "videos", "input_files"].map((name) => form(name, media)),
    form("files_metadata", `[${text}]`),
  ];
  expect(given).toEqual(given.map(() => false));
});

describe("half a surrogate pair", () => {
  test("is kept as U+FFFD, in texts and names, and texts that only look like its escape are left alone", async () => {
    const cut = "a 🚂".slice(0, 3);
    const kept = { [`${cut}b`]: [cut, `\\${cut}\\`], looks: "\\ud83d \\\\ud83d", whole: "🚂" };
    const repaired = { "a \ufffdb": ["a \ufffd", "\\a \ufffd\\"], looks: "\\ud83d \\\\ud83d", whole: "🚂" };
    expect(await putAndGet(kept)).toEqual(placed(repaired));
  });
});
