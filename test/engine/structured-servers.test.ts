import { describe, expect, test } from "vitest";
import { checkAnswer } from "../../shared/engine/loop/validate-answer.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { modelFault } from "../../shared/engine/model/model-fault.ts";
import { useHostileModel } from "../support/hostile-model/use-hostile-model.ts";
import { anAgent, aRequest, runAgent } from "./support/run-agent.ts";

const hostile = useHostileModel();

const schema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] } as const;

describe("an answer of a given shape, of a server behind openai-compatible", () => {
  test.each([
    [undefined, undefined, true],
    ["prompt", undefined, true],
    ["json_object", "json_object", true],
    ["json_schema", "json_schema", false],
  ] as const)("is asked for by its row: %s", async (structured, format, isInstructed) => {
    const name = `plan-structured-${(structured ?? "unset").replace("_", "-")}`;
    const { requests } = hostile().plan(name, [{ text: ['{"total": 5}'] }]);
    const models = createModels({
      ...hostile().environment,
      MODEL: "openai-compatible:hostile",
      MODEL_PROVIDERS: { "openai-compatible": { ...(structured && { structured }) } },
    });
    const request = aRequest(name, { output_schema: { ...schema } });
    const { outcome } = await runAgent(name, { agent: anAgent(), request, models });
    expect(outcome.output).toMatchObject({ status: "COMPLETED", content: { total: 5 } });
    const { response_format, messages } = requests[0]?.body ?? {};
    expect((response_format as { type?: string } | undefined)?.type).toBe(format);
    expect(JSON.stringify(messages).includes("JSON Schema")).toBe(isInstructed);
  });
});

describe("JSON within an answer", () => {
  const shape = { name: "Sum", schema } as unknown as Parameters<typeof checkAnswer>[0]; // what is read of it
  test.each([
    ["alone", '{"total": 5}'],
    ["in prose", 'Here you are: {"total": 5}. Anything else?'],
    ["with brackets before it and in its texts", 'See [1] {"total": 5, "note": "a } in \\" it"} and {}'],
    ["in a fenced block within prose", 'Sure!\n```json\n{"total": 5}\n```\nDone.'],
    ["as a text in JSON", JSON.stringify('{"total": 5}')],
    ["behind thoughts that hold another", '<think>{"total": "unknown", "more": 1}</think>{"total": 5}'],
    [
      "where the last block is an example of something else",
      '```json\n{"total": 5}\n```\nas in\n```\n[1]\n```',
    ],
    ["in the last of several blocks", '```json\n{"total": 4}\n```\nNo:\n```\n{"total": 5}\n```'],
  ])("is found %s", async (_, text) => {
    expect(await checkAnswer(shape, text)).toMatchObject({ verdict: "valid", value: { total: 5 } });
  });
  test.each(["none at all", 'half of it: {"total": ', "{".repeat(10_000)])(
    "is not made up: %.20s",
    async (text) => {
      expect(await checkAnswer(shape, text)).toMatchObject({ verdict: "invalid" });
    },
  );
});

describe("the error of a server", () => {
  const refused = (responseBody: string) =>
    modelFault(Object.assign(new Error("Bad Request"), { statusCode: 400, responseBody }), 0).text;
  test.each([
    ['{"error":{"message":"no such field"}}', "no such field"],
    ['{"error":"no such field"}', "no such field"],
    ['{"message":"no such field"}', "no such field"],
    ['{"detail":"no such field"}', "no such field"],
    ['{"detail":[{"loc":["body"],"msg":"no such field"}]}', "no such field"],
    ["<html>Bad Request</html>", "Bad Request"],
    ['{"error":{"code":7}}', "Bad Request"],
  ])("is shown as it says it: %s", (body, text) => {
    expect(refused(body)).toBe(text);
  });
  test("is not quoted where a credential was refused", () => {
    const thrown = Object.assign(new Error("x"), {
      statusCode: 401,
      responseBody: '{"error":"key sk-1 is wrong"}',
    });
    expect(modelFault(thrown, 0).text).toBe("The model service refused the credential (401).");
  });
});
