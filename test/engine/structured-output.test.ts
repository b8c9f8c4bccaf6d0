import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { anAgent, aRequest, eventsOf, runAgent, scripted } from "./support/run-agent.ts";

const Sum = {
  title: "Sum",
  type: "object",
  properties: { total: { type: "number" } },
  required: ["total"],
};
const ask = (input: string, output_schema: Record<string, unknown> = Sum) =>
  runAgent(input, { request: aRequest(input, { output_schema }) });
const saidBy = (run: Awaited<ReturnType<typeof ask>>) =>
  run.outcome.output.messages?.map(({ role, content }) => [role, content]);

describe("an answer of an asked shape", () => {
  test("becomes the run's content, under the schema's name", async () => {
    const run = await ask('[[answer:{"total": 5}]]');
    expect(run.outcome).toMatchObject({
      status: "COMPLETED",
      output: { content: { total: 5 }, content_type: "Sum" },
    });
    expect(eventsOf(run, "RunCompleted")).toMatchObject([{ content: { total: 5 }, content_type: "Sum" }]);
    expect(
      eventsOf(run, "RunContent")
        .map(({ content }) => content)
        .join(""),
    ).toBe('{"total": 5}');
  });

  test("may come in a fenced block, and after tool calls", async () => {
    expect((await ask('[[answer:```json\n{"total": 5}\n```]]')).outcome.output.content).toEqual({ total: 5 });
    const run = await ask('[[tool:add {"a":2,"b":3}]][[answer:{"total": 5, "steps": [[1]]}]]');
    expect(run.outcome.output).toMatchObject({ status: "COMPLETED", content: { total: 5, steps: [[1]] } });
  });

  test("is not called text where the schema has no title", async () => {
    const { outcome } = await ask("[[answer:[1, 2]]]", { type: "array", items: { type: "number" } });
    expect(outcome.output).toMatchObject({ content: [1, 2], content_type: "Output" });
  });

  test("is asked for once more when it is of another shape, with what is wrong about it", async () => {
    const run = await ask('[[answer:{"total": "five"}]][[answer:{"total": 5}]]');
    expect(run.outcome.output).toMatchObject({ status: "COMPLETED", content: { total: 5 } });
    expect(saidBy(run)?.slice(1)).toEqual([
      ["assistant", '{"total": "five"}'],
      ["user", expect.stringContaining("data/total must be number")],
      ["assistant", '{"total": 5}'],
    ]);
  });

  test.each([
    ["Five.", "The answer is not JSON."],
    ['[[answer:{"sum": 5}]][[answer:{"sum": 6}]]', "data must have required property 'total'"],
  ])("that %s is not fails the run when the second one is not either", async (message, reason) => {
    const { outcome, order } = await ask(message);
    expect(outcome).toMatchObject({
      status: "ERROR",
      cause: "model",
      error: `The model did not answer with Sum, even when corrected: ${reason}`,
    });
    expect(order.slice(-1)).toEqual(["RunError"]);
    expect(order.filter((event) => event === "ModelRequestStarted")).toHaveLength(2);
  });

  test("that cannot be checked fails the run without troubling the model again", async () => {
    const { outcome, order } = await ask(`[[answer:"${"a".repeat(60)}!"]]`, { pattern: "^(a+)+$" });
    expect(outcome).toMatchObject({ status: "ERROR", cause: "input" });
    expect(order.filter((event) => event === "ModelRequestStarted")).toHaveLength(1);
  });

  test("is asked for in words where the model takes no schema", async () => {
    const seen: string[] = [];
    const { model, ...shown } = await scripted().resolve();
    await runAgent('[[answer:{"total": 1}]]', {
      agent: anAgent({ instructions: "Be exact.", output_schema: Sum }),
      models: {
        describe: () => ({ id: shown.id, provider: shown.provider }),
        resolve: async () => ({
          ...shown,
          model: {
            ...model,
            doStream: (options) => {
              seen.push(JSON.stringify(options.prompt[0]));
              return model.doStream(options);
            },
          },
        }),
      },
    });
    expect(seen).toEqual([expect.stringMatching(/Be exact\..*JSON Schema.*total/)]);
  });
});

describe("a shape declared on an agent", () => {
  const Invoice = v.pipe(
    v.object({
      due: v.pipe(
        v.string(),
        v.isoDate(),
        v.transform((day) => day.slice(0, 4)),
      ),
    }),
    v.title("Invoice"),
  );
  const agent = anAgent({ output_schema: Invoice });

  test("holds for every run, and may transform the answer", async () => {
    const { outcome } = await runAgent('[[answer:{"due":"2026-11-21"}]]', { agent });
    expect(outcome.output).toMatchObject({ content: { due: "2026" }, content_type: "Invoice" });
  });

  test("is checked by its own rules", async () => {
    const { outcome } = await runAgent('[[answer:{"due":"soon"}]]', { agent });
    expect(outcome).toMatchObject({ status: "ERROR", error: expect.stringContaining("not JSON") });
    const wrong = await runAgent('[[answer:{"due":"soon"}]][[answer:{"due":"soon"}]]', { agent });
    expect(wrong.outcome).toMatchObject({ error: expect.stringMatching(/Invoice.*due: Invalid date/) });
  });

  test("gives way to the one that a request asks for", async () => {
    const input = '[[answer:{"total": 2}]]';
    const { outcome } = await runAgent(input, { agent, request: aRequest(input, { output_schema: Sum }) });
    expect(outcome.output.content_type).toBe("Sum");
  });
});
