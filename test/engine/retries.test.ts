import { describe, expect, test } from "vitest";
import { agentDefaults, defineAgent } from "../../shared/engine/define/agent.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { retryAfter } from "../../shared/engine/model/model-fault.ts";
import { RunStopped } from "../../shared/engine/run/next-step.ts";
import { waitBeforeRetry } from "../../shared/engine/turn/call-model.ts";
import { anAgent, runAgent, tickingClock } from "./support/run-agent.ts";
import { startWireServer, type WireReply } from "./support/wire-server.ts";
import { openaiCompatible as wire } from "./wires/openai-compatible.ts";

const fault = { cause: "throttled", text: "slow down", thrown: undefined } as const;
const settings = { ...agentDefaults, retries: 3, exponential_backoff: false };
const waits = (how: Partial<typeof settings> & object, again?: { after_seconds?: number }) =>
  [1, 2, 3, 4].map((failures) =>
    waitBeforeRetry({ ...settings, ...how }, failures, { ...fault, ...(again && { again }) }),
  );

describe("the wait before a model call is made again", () => {
  test("is the agent's, as often as the agent allows", () => {
    expect(waits({}, {})).toEqual([1000, 1000, 1000, undefined]);
  });
  test("doubles where that is asked for, up to a minute", () => {
    const doubling = { ...settings, retries: 9, exponential_backoff: true };
    const wait = (failures: number) => waitBeforeRetry(doubling, failures, { ...fault, again: {} });
    expect([1, 2, 3, 9].map(wait)).toEqual([1000, 2000, 4000, 60_000]);
  });
  test("is never shorter than the service asked for, and too long a one is not waited", () => {
    expect(waits({}, { after_seconds: 5 })).toEqual([5000, 5000, 5000, undefined]);
    expect(waits({}, { after_seconds: 61 })[0]).toBeUndefined();
  });
  test("does not come where trying again cannot help", () => {
    expect(waits({})).toEqual([undefined, undefined, undefined, undefined]);
  });
});

test.each([
  [{ "retry-after": "7" }, 7],
  [{ "retry-after-ms": "250", "retry-after": "1" }, 0.25],
  [{ "retry-after": "Thu, 01 Jan 1970 00:00:30 GMT" }, 20],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "" }, undefined],
  [undefined, undefined],
])("headers %o ask for a wait of %s seconds", (headers, seconds) => {
  expect(retryAfter(headers, 10_000)).toBe(seconds);
});

describe("a run whose model fails", () => {
  async function runAgainst(replies: readonly WireReply[], retries: number, signal?: AbortSignal) {
    const server = await startWireServer(replies);
    const models = createModels({ MODEL: wire.spec, MODEL_BASE_URL: `${server.url}/v1` });
    const slept: number[] = [];
    const warned: unknown[] = [];
    const run = await runAgent("Hello", {
      agent: anAgent({ retries }),
      models,
      clock: { ...tickingClock(), sleep: async (ms) => void slept.push(ms) },
      warn: (message, fields) => warned.push({ message, ...fields }),
      ...(signal && { signal }),
    });
    return { ...run, slept, warned, asked: server.requests.length };
  }

  test("asks again, writes to the log, and not those who follow it", async () => {
    const run = await runAgainst([wire.error(503, "tired"), wire.text("Hel", "lo")], 1);
    expect(run.outcome.output).toMatchObject({ status: "COMPLETED", content: "Hello" });
    expect(run.slept).toEqual([1000]);
    expect(run.warned).toMatchObject([{ message: "retrying a model call", failures: 1 }]);
    expect(run.order).not.toContain("RunError");
  });

  test("does not ask again what it asked wrongly, nor what it has already passed on", async () => {
    expect((await runAgainst([wire.error(400, "what?")], 3)).asked).toBe(1);
    expect((await runAgainst([wire.throttledInStream("too much")], 3)).asked).toBe(1);
  });

  test("is asked again twice without a word from its author, one and two seconds later", async () => {
    const server = await startWireServer([
      wire.error(503, "a"),
      wire.error(429, "b"),
      wire.text("Hel", "lo"),
    ]);
    const slept: number[] = [];
    const { outcome } = await runAgent("Hello", {
      agent: defineAgent({ id: "plain", name: "Plain" }),
      models: createModels({ MODEL: wire.spec, MODEL_BASE_URL: `${server.url}/v1` }),
      clock: { ...tickingClock(), sleep: async (ms) => void slept.push(ms) },
    });
    expect(outcome.output).toMatchObject({ status: "COMPLETED", content: "Hello" });
    expect(slept).toEqual([1000, 2000]);
  });

  test("is asked again where its answer ended before it began", async () => {
    const run = await runAgainst([{ ...wire.text("", ""), body: "" }, wire.text("Hel", "lo")], 1);
    expect(run.outcome.output).toMatchObject({ status: "COMPLETED", content: "Hello" });
    expect(run.asked).toBe(2);
  });

  test("fails with the last fault when no retry is left", async () => {
    const run = await runAgainst([wire.error(429, "slow"), wire.error(429, "slower")], 1);
    expect(run.outcome).toMatchObject({ status: "ERROR", cause: "throttled", error: "slower" });
  });

  test("stops waiting when it is stopped", async () => {
    const stop = new AbortController();
    const server = await startWireServer([wire.error(429, "slow")]);
    const { outcome } = await runAgent("Hello", {
      agent: anAgent({ retries: 1, delay_between_retries: 30 }),
      models: createModels({ MODEL: wire.spec, MODEL_BASE_URL: `${server.url}/v1` }),
      signal: stop.signal,
      warn: () => stop.abort(new RunStopped("cancelled", "enough")),
    });
    expect(outcome.status).toBe("CANCELLED");
    expect(server.requests).toHaveLength(1);
  });
});

test("what a provider warns of is written to the log", async () => {
  const { model, ...shown } = await createModels({ MODEL: "scripted" }).resolve();
  const warned: unknown[] = [];
  const warning = { type: "other" as const, message: "that setting has no effect" };
  await runAgent("Hello", {
    models: {
      describe: () => shown,
      resolve: async () => ({
        ...shown,
        model: {
          ...model,
          doStream: async (options) => {
            const { stream } = await model.doStream(options);
            const starts = ReadableStream.from([{ type: "stream-start" as const, warnings: [warning] }]);
            const whole = [starts, stream];
            return {
              stream: ReadableStream.from(
                (async function* () {
                  for (const part of whole) yield* part;
                })(),
              ),
            };
          },
        },
      }),
    },
    warn: (message, fields) => warned.push({ message, ...fields }),
  });
  expect(warned).toEqual([
    { message: "warnings of the model's provider", model: "scripted-1", warnings: [warning] },
  ]);
});
