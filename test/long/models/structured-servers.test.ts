import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import { useHostileModel } from "../../support/hostile-model/use-hostile-model.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

/** Answers of a given shape by the deployed bundles, of a server behind `openai-compatible` that takes the shape in its own way. */

const model = useHostileModel();

const output_schema = JSON.stringify({
  title: "Sum",
  type: "object",
  properties: { total: { type: "number" } },
  required: ["total"],
});

const ways = [
  { structured: undefined, format: undefined, isInstructed: true },
  { structured: "prompt", format: undefined, isInstructed: true },
  { structured: "json_object", format: "json_object", isInstructed: true },
  { structured: "json_schema", format: "json_schema", isInstructed: false },
] as const;

describe.each(ways)("a server whose row says $structured", ({ structured, format, isInstructed }) => {
  let platform: TestPlatform;
  let maria: Client;
  beforeAll(async () => {
    const row = { baseUrl: `${model().url}/v1`, ...(structured && { structured }) };
    platform = await startPlatform({
      env: {
        MODEL: "openai-compatible:hostile",
        MODEL_PROVIDERS: JSON.stringify({ "openai-compatible": row }),
      },
    });
    maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run"]));
  });
  afterAll(() => platform?.stop());

  const planOf = (what: string) => `plan-${what}-${(structured ?? "unset").replace("_", "-")}`;

  test("is asked for the shape so, at once and in the background", async () => {
    for (const background of [false, true]) {
      const plan = planOf(background ? "later" : "now");
      const { requests } = model().plan(plan, [{ text: ['{"total": 5}'] }]);
      const ended = background
        ? await maria.settled(await maria.submit(plan, { output_schema }))
        : (await maria.run(plan, { output_schema })).json;
      expect(ended).toMatchObject({ status: "COMPLETED", content: { total: 5 }, content_type: "Sum" });
      expect(requests).toHaveLength(1);
      const { response_format, messages } = requests[0]?.body ?? {};
      expect((response_format as { readonly type?: string } | undefined)?.type).toBe(format);
      expect(JSON.stringify(messages).includes("JSON Schema")).toBe(isInstructed);
    }
  });

  test("may write prose around it, over several pieces", async () => {
    const plan = planOf("prose");
    model().plan(plan, [{ text: ["Sure! See [1].\n", '{"tot', 'al": 5}', "\nAnything else?"] }]);
    const { json } = await maria.run(plan, { output_schema });
    expect(json).toMatchObject({ status: "COMPLETED", content: { total: 5 }, content_type: "Sum" });
  });

  test("refuses in its own words, which the run shows", async () => {
    const plan = planOf("refused");
    const message = "response_format is not supported by this server";
    model().plan(plan, [{ fails: { kind: "status", status: 400, message } }]);
    const { json } = await maria.run(plan, { output_schema });
    expect(json).toMatchObject({ status: "ERROR", content: expect.stringContaining(message) });
  });
});
