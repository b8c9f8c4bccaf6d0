import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import { shapeOf } from "../../shared/engine/define/answer-shape.ts";
import { defineAgent, defineTool, defineWorkflow } from "../../shared/engine/define/index.ts";
import { checkAnswer } from "../../shared/engine/loop/validate-answer.ts";
import { type DeclaredSchema, jsonSchemaOf, schemaOf } from "../../shared/engine/tool/declared-schema.ts";
import { toolParameters } from "../../shared/engine/tool/new-tool-call.ts";
import { issueText } from "../../shared/schemas/values/issue-text.ts";
import { anAgent, aRequest, runAgent } from "./support/run-agent.ts";

const json = {
  type: "object",
  properties: { count: { type: "integer" }, tags: { type: "array", items: { type: "string" } } },
  required: ["count"],
  additionalProperties: false,
} as const;

const written: Record<string, DeclaredSchema> = {
  valibot: v.object({ count: v.pipe(v.number(), v.integer()), tags: v.optional(v.array(v.string())) }),
  zod: z.object({ count: z.int(), tags: z.array(z.string()).optional() }),
  arktype: type({ count: "number.integer", "tags?": "string[]" }),
  "JSON Schema": json,
};

const faultsOf = (declared: unknown, value: unknown): string[] | "valid" => {
  const parsed = v.safeParse(schemaOf("it", declared), value);
  return parsed.success ? "valid" : parsed.issues.map((issue) => issueText(issue, "whole"));
};

describe.each(Object.entries(written))("a schema of %s", (_, declared) => {
  const schema = schemaOf("it", declared);

  test("is written as a JSON Schema that names its members", () => {
    expect(jsonSchemaOf(schema)).toMatchObject({
      type: "object",
      properties: { count: { type: "integer" }, tags: { type: "array", items: { type: "string" } } },
      required: ["count"],
    });
    expect(jsonSchemaOf(schema)).not.toHaveProperty("$schema");
  });

  test("lets pass what fits, and names the member that does not", () => {
    expect(faultsOf(declared, { count: 3, tags: ["a"] })).toBe("valid");
    for (const [value, place] of [
      [{ count: "x" }, "count"],
      [{}, "count"],
      [{ count: 1, tags: ["a", 2] }, "tags.1"],
    ] as const) {
      const faults = faultsOf(declared, value);
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatch(new RegExp(`^${place.replace(".", "\\.")}: .`));
    }
  });

  test("declared twice is the same schema, so that it is converted once", () => {
    expect(schemaOf("another", declared)).toBe(schema);
    expect(jsonSchemaOf(schema)).toBe(jsonSchemaOf(schema));
  });
});

describe("what is no schema is refused where it is declared", () => {
  const refusal = (parameters: unknown) => () =>
    defineTool({
      name: "look",
      description: "",
      effect: "safe",
      parameters: parameters as never,
      execute: () => "",
    });

  test.each([
    ["a list of members", { city: "string" }],
    ["nothing", undefined],
    ["a text", "string"],
    ["a class", class Look {}],
    ["the parser of a library without the standard", { parse: () => ({}) }],
  ])("%s", (_, parameters) => {
    expect(refusal(parameters)).toThrow(
      "the parameters of the tool look must be a schema of valibot, zod 4, arktype or another library",
    );
  });

  test("a library that cannot write a JSON Schema is named", () => {
    const validate = () => ({ value: {} });
    const old = { "~standard": { version: 1, vendor: "zod", validate } };
    expect(refusal(old)).toThrow(
      /^the parameters of the tool look is written with a version of zod that cannot/,
    );
  });

  test("an agent's and a workflow's too", () => {
    const input_schema = 3 as never;
    expect(() => defineAgent({ id: "a", name: "A", input_schema })).toThrow(
      "the input_schema of the agent a must",
    );
    expect(() => defineWorkflow({ id: "w", name: "W", steps: [], input_schema })).toThrow(
      "the input_schema of the workflow w must",
    );
  });
});

test("what a library cannot write as a JSON Schema, and what it would have to wait for, are sentences", () => {
  const schema = schemaOf("the schema day", z.object({ day: z.date() }));
  expect(() => jsonSchemaOf(schema)).toThrow(
    "the schema day cannot be written as a JSON Schema: Date cannot",
  );
  const slow = z.object({ id: z.string().refine(async () => true) });
  expect(faultsOf(slow, { id: "1" })).toEqual([expect.stringContaining("it has an asynchronous check")]);
});

test("the compiler knows what a tool is called with, whatever its schema is written with", () => {
  const common = { description: "", effect: "safe" } as const;
  defineTool({
    ...common,
    name: "by_zod",
    parameters: z.object({ day: z.string().transform((text) => text.length) }),
    execute: (args) => {
      expectTypeOf(args).toEqualTypeOf<{ day: number }>();
      return "";
    },
  });
  defineTool({
    ...common,
    name: "by_arktype",
    parameters: type({ "day?": "string" }),
    execute: (args) => {
      expectTypeOf(args).toEqualTypeOf<{ day?: string }>();
      return "";
    },
  });
  defineTool({
    ...common,
    name: "by_valibot",
    parameters: v.object({ day: v.number() }),
    user_input_fields: ["day"],
    execute: (args) => {
      expectTypeOf(args).toEqualTypeOf<{ day: number }>();
      return "";
    },
  });
  const tool = defineTool({ ...common, name: "by_json", parameters: json, execute: (args) => args.count });
  expect(toolParameters(tool)).toEqual(json);
});

test.each(Object.entries(written))("an answer is checked by a schema of %s", async (_, output_schema) => {
  const { output_schema: declared } = defineAgent({ id: "a", name: "A", output_schema });
  const shape = declared && shapeOf(declared);
  expect(await (shape && checkAnswer(shape, '{"count": 3}'))).toEqual({
    verdict: "valid",
    value: { count: 3 },
  });
  expect(await (shape && checkAnswer(shape, '{"count": "x"}'))).toMatchObject({ verdict: "invalid" });
});

test("a run calls tools of all four", async () => {
  const tools = Object.entries(written).map(([name, parameters]) =>
    defineTool({
      name: name.replace(" ", "_"),
      description: "Count.",
      effect: "safe",
      parameters: parameters as typeof json,
      execute: ({ count }) => `${count} as a ${typeof count}`,
    }),
  );
  for (const { name } of tools) {
    const { outcome } = await runAgent(`declared-${name}`, {
      agent: anAgent({ tools }),
      request: aRequest(`declared-${name}`, {
        input: `[[tool:${name} {"count": 3}]] [[tool:${name} {"count": "x"}]]`,
      }),
    });
    expect(outcome.output.tools?.map(({ result }) => result)).toEqual([
      "3 as a number",
      expect.stringMatching(/^The arguments of .* are not valid: count: /),
    ]);
  }
});
