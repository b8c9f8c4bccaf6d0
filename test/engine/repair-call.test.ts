import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { repairedCall } from "../../shared/engine/tool/repair-call.ts";
import { defineTool, type Tool } from "../../shared/engine/tool/tool.ts";
import { anAgent, aTool, runAgent } from "./support/run-agent.ts";
import { watchedModel } from "./support/watched-model.ts";

const named = (name: string, parameters: Tool["parameters"] = v.object({})): Tool =>
  defineTool({ name, description: name, parameters, effect: "safe", execute: () => "" }) as Tool;

const order = named(
  "place_order",
  v.object({
    id: v.string(),
    count: v.number(),
    urgent: v.optional(v.boolean()),
    tags: v.optional(v.array(v.string())),
    lines: v.optional(v.array(v.object({ price: v.number() }))),
    size: v.optional(v.union([v.string(), v.number()])),
    limit: v.optional(v.nullable(v.pipe(v.number(), v.integer()))),
  }),
);

const repaired = (written: string, name = "place_order", tools = [order]) =>
  repairedCall({ id: "c1", name, arguments: written }, tools).arguments;

const plain = '{"id":"7","count":2}';
const quoted = (value: unknown) => JSON.stringify(value);

describe("arguments that are JSON with something around it", () => {
  test.each([
    ["a fence", `\`\`\`json\n${plain}\n\`\`\``],
    ["a fence without a language, and space around it", `\n\`\`\`\n${plain}\n\`\`\`\n`],
    ["a byte-order mark", `\uFEFF${plain}`],
    ["quotes", quoted(plain)],
    ["quotes twice", quoted(quoted(plain))],
    ["a fence in quotes", quoted(`\`\`\`json\n${plain}\n\`\`\``)],
  ])("lose it: %s", (_, written) => expect(repaired(written)).toBe(plain));

  test.each([
    ["a bracket that is missing", '{"id":"7","count":2'],
    ["a comma too many", '{"id":"7","count":2,}'],
    ["single quotes", "{'id':'7','count':2}"],
    ["two values", `${plain}${plain}`],
    ["a text before the fence", `Here:\n\`\`\`json\n${plain}\n\`\`\``],
    ["a list", "[1,2]"],
    ["a text in quotes", '"seven"'],
  ])("are guessed in no other way: %s", (_, written) => expect(repaired(written)).toBe(written));
});

describe("a text where the schema takes none", () => {
  test.each([
    ['{"id":"7","count":"2"}', '{"id":"7","count":2}'],
    ['{"id":"7","count":"-2.5"}', '{"id":"7","count":-2.5}'],
    ['{"id":"7","count":2,"urgent":"true"}', '{"id":"7","count":2,"urgent":true}'],
    ['{"id":"7","count":2,"tags":"[\\"a\\", \\"b\\"]"}', '{"id":"7","count":2,"tags":["a","b"]}'],
    ['{"id":"7","count":2,"lines":[{"price":"9"}]}', '{"id":"7","count":2,"lines":[{"price":9}]}'],
    ['{"id":"7","count":2,"lines":"[{\\"price\\":9}]"}', '{"id":"7","count":2,"lines":[{"price":9}]}'],
    ['{"id":"7","count":2,"limit":"5"}', '{"id":"7","count":2,"limit":5}'],
  ])("becomes what it stands for: %s", (written, becomes) => expect(repaired(written)).toBe(becomes));

  test.each([
    ["digits would be lost", '{"id":"7","count":"12345678901234567890"}'],
    ["a number is written in another way", '{"id":"7","count":"007"}'],
    ["a unit would be lost", '{"id":"7","count":"2 kg"}'],
    ["a member would be lost", '{"id":"7","count":2,"lines":"[{\\"price\\":1,\\"price\\":2}]"}'],
    ["the schema takes texts", '{"id":"7","count":2,"size":"5"}'],
    ["no whole number fits", '{"id":"7","count":2,"limit":"5.5"}'],
    ["it is no truth value", '{"id":"7","count":2,"urgent":"yes"}'],
    ["the schema does not know it", '{"id":"7","count":2,"other":"5"}'],
  ])("stays as it is where %s", (_, written) => expect(repaired(written)).toBe(written));

  test("is read by the schema of a server's tool too, with its references", () => {
    const remote: Tool = {
      ...named("search", v.record(v.string(), v.unknown())),
      input_schema: {
        type: "object",
        properties: { page: { $ref: "#/$defs/page" } },
        $defs: { page: { type: "integer" } },
      },
    };
    expect(repaired('{"page":"3"}', "search", [remote])).toBe('{"page":3}');
  });
});

/** Numbers in [0, 1) that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

test("of 10,000 texts none gives another value than it says", () => {
  const random = seeded(1);
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T; // lists here are not empty
  const values = [
    '"2"',
    "2",
    '"007"',
    '"1e3"',
    '"true"',
    "true",
    '"[1]"',
    "[1]",
    '"[1,"',
    '"-0"',
    "null",
    '"null"',
    '"12345678901234567890"',
  ];
  const names = ["id", "count", "urgent", "tags", "lines", "size", "limit", "__proto__"];
  const object = () => `{${Array.from({ length: 3 }, () => `"${one(names)}":${one(values)}`).join(",")}}`;
  const around = [
    (text: string) => text,
    (text: string) => `\`\`\`json\n${text}\n\`\`\``,
    (text: string) => `\uFEFF${text}`,
    quoted,
    (text: string) => text.slice(0, -1),
    (text: string) => text.replace(":", one([":", "=", "::"])),
  ];
  const changed: string[] = [];
  for (let i = 0; i < 10_000; i += 1) {
    const written = object();
    const sent = one(around)(written);
    const became = repaired(sent);
    if (became === sent) continue;
    const [before, after] = [JSON.parse(written), JSON.parse(became)];
    const isSame = Object.entries(after).every(([name, value]) =>
      // The same value, or the text of it.
      [JSON.stringify(before[name]), before[name]].includes(JSON.stringify(value)),
    );
    if (!isSame || Object.keys(after).join() !== Object.keys(before).join()) changed.push(sent);
  }
  expect(changed).toEqual([]);
});

describe("the name of a tool", () => {
  const called = (name: string, tools = [named("add_numbers"), named("get-weather")]) =>
    repairedCall({ id: "c1", name, arguments: "{}" }, tools).name;
  test.each([
    ["functions.add_numbers", "add_numbers"],
    ["default_api:add_numbers", "add_numbers"],
    ["Add_Numbers", "add_numbers"],
    ["add-numbers", "add_numbers"],
    ["functions.Get_Weather", "get-weather"],
    ["add_number", "add_number"],
    ["other.add_numbers", "other.add_numbers"],
  ])("%s is taken for %s", (written, meant) => expect(called(written)).toBe(meant));
  test("that fits two tools is left as it is", () => {
    const tools = [named("get_it"), named("get-it")];
    expect(called("GET_IT", tools)).toBe("GET_IT");
    expect(called("get-it", tools)).toBe("get-it");
  });
});

test("a run executes the repaired call, records it, and shows the model what it called", async () => {
  const { tool, seen } = aTool();
  const { models, prompts } = watchedModel();
  const script = '[[tool:functions.Add {"a":"2","b":3}]]';
  const { outcome } = await runAgent(script, { agent: anAgent({ tools: [tool] }), models });
  expect(seen).toMatchObject([{ args: { a: 2, b: 3 } }]);
  expect(outcome.output.tools).toMatchObject([{ tool_name: "add", tool_args: { a: 2, b: 3 }, result: "5" }]);
  expect(prompts[1]?.[1]?.content).toMatchObject([{ toolName: "add", input: { a: 2, b: 3 } }]);
});

test("a call of an unknown tool is answered with the three nearest names", async () => {
  const tools = ["add_number", "add_numbers", "sub_numbers", "weather"].map((name) => named(name));
  const { outcome } = await runAgent("[[tool:add_numbrs {}]]", { agent: anAgent({ tools }) });
  expect(outcome.output.tools?.[0]).toMatchObject({
    tool_call_error: true,
    result: "There is no tool named add_numbrs. Its nearest names are: add_numbers, add_number, sub_numbers.",
  });
});
