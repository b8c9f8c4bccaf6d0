import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineAgent } from "../../shared/engine/define/agent.ts";
import { defineTeam } from "../../shared/engine/define/team.ts";
import type { WorkflowStep } from "../../shared/engine/define/workflow.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import type { StepAnswer } from "../../shared/schemas/runs/pause-answers.ts";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import { connectTracing } from "../../shared/tracing/connect-tracing.ts";
import type { Reply, TurnUsage } from "../support/hostile-model/turn.ts";
import { useHostileModel } from "../support/hostile-model/use-hostile-model.ts";
import { addNumbers } from "../support/registry/plain-tools.ts";
import { type ExportedSpan, type SpanCollector, startSpanCollector } from "../support/span-collector.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { aWorkflowWorld } from "../workflows/a-workflow-world.ts";
import { tracingOn } from "./tracing-on.ts";

/** What is exported of a service that names its answers and caches prompts, as the scripted model does not. */
let stores: TestStores;
let collector: SpanCollector;
const hostile = useHostileModel();
beforeAll(async () => {
  [stores, collector] = await Promise.all([startStores(), startSpanCollector()]);
});
afterAll(() => Promise.all([stores.stop(), collector.stop()]));

const adder = defineAgent({
  ...{ id: "adder", name: "Adder", tools: [addNumbers], retries: 0 },
  ...{ max_output_tokens: 500, temperature: 0.25 },
});
const desk = defineTeam({ id: "desk", name: "Help desk", members: [adder], retries: 0, followups: true });

/** Its input is counted apart from what was read from the cache and written to it. */
const used = (
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
): { usage: TurnUsage } => ({
  usage: { input, output, cacheRead, cacheWrite },
});
const calling = (name: string, args: object) => ({
  calls: [{ id: `call-${name}`, name, arguments: JSON.stringify(args) }],
});

let runs = 0;
const team: WorkflowStep = { name: "work", type: "Step", executor: desk };

/**
 * A workflow, at first of the team, whose model gives these answers in turn.
 *
 * @param replies  given the words by which their requests are known
 * @param answers  to what its steps ask, if they do
 */
async function exported(
  replies: (plan: string) => readonly Reply[],
  steps: readonly WorkflowStep[] = [team],
  answers: readonly StepAnswer[] = [],
) {
  runs += 1;
  const plan = `plan-service-${runs}`;
  const { requests } = hostile().plan(plan, replies(plan));
  const world = aWorkflowWorld(stores.db, steps);
  const models = createModels({
    ...{ MODEL: "anthropic:claude-sonnet-4-5", ANTHROPIC_API_KEY: "key-anthropic" },
    MODEL_PROVIDERS: { anthropic: { baseUrl: `${hostile().url}/v1` } },
  });
  const log = { error: (text: string) => expect(text).toBe("") };
  const env = { ...tracingOn, OTLP_ENDPOINTS: [collector.url] };
  const tracing = connectTracing(env, { db: stores.db, clock: world.clock, log });
  const before = collector.spans.length;
  const run = await world.submit(plan);
  const deliver = () => world.deliver({ models, ...(tracing && { tracing }) });
  await deliver();
  if (answers.length > 0) {
    await world.goOn(run, answers);
    await deliver();
  }
  return { output: await world.output(run), requests, spans: collector.spans.slice(before) };
}

const named = (spans: readonly ExportedSpan[], name: string) => spans.filter((span) => span.name === name);
const chatsOf = (spans: readonly ExportedSpan[]) => named(spans, "chat claude-sonnet-4-5");
const delegated = (plan: string, how: object) => ({
  ...calling("delegate_task_to_member", { member_id: "adder", task: `${plan}: what is 2 + 3?` }),
  ...how,
});

describe("a model call", () => {
  test("has what it was asked with, and what the service called its answer and the model that gave it", async () => {
    const { spans, requests } = await exported((plan) => [
      delegated(plan, {}),
      { text: ["It is 5."] },
      { text: ["5"] },
      { text: ["[]"] },
    ]);
    const [leader, member] = chatsOf(spans);
    const answered = { "gen_ai.response.id": "msg_1", "gen_ai.response.model": "claude-hostile" };
    expect(requests[1]?.body).toMatchObject({ temperature: 0.25, max_tokens: 500 });
    expect(member?.attributes).toMatchObject({
      ...{ "gen_ai.request.temperature": 0.25, "gen_ai.request.max_tokens": 500 },
      ...{ "gen_ai.request.model": "claude-sonnet-4-5", "gen_ai.provider.name": "anthropic" },
      ...{ ...answered, "server.address": "127.0.0.1" },
    });
    expect(leader?.attributes).toMatchObject(answered);
    // What the component does not set is on no span, and the service is asked without it.
    const unset = /temperature|max_tokens|top_p|top_k|stop_sequences|seed|reasoning\.level/;
    expect(Object.keys(leader?.attributes ?? {}).filter((name) => unset.test(name))).toEqual([]);
    expect(Object.keys(requests[0]?.body ?? {})).not.toContain("temperature");
  });
});

describe("what a run used", () => {
  test("is what its calls used, cache reads and writes among the input, in a team too", async () => {
    const { spans, output } = await exported((plan) => [
      delegated(plan, used(3, 7, 100, 20)),
      { ...calling("add_numbers", { a: 2, b: 3 }), ...used(5, 6, 0, 40) },
      { text: ["It is 5."], ...used(2, 4, 40, 0) },
      { text: ["5"], ...used(1, 2, 120, 0) },
      { text: ["[]"], ...used(30, 3, 0, 0) },
    ]);
    const [first] = chatsOf(spans);
    expect(first?.attributes).toMatchObject({
      ...{ "gen_ai.usage.input_tokens": 123, "gen_ai.usage.output_tokens": 7 },
      ...{ "gen_ai.usage.cache_read.input_tokens": 100, "gen_ai.usage.cache_write.input_tokens": 20 },
    });
    const sumOf = (those: readonly ExportedSpan[], name: string) =>
      those.reduce((sum, { attributes }) => sum + Number(attributes[`gen_ai.usage.${name}`] ?? 0), 0);
    const usedBy = (those: readonly ExportedSpan[]) => ({
      input_tokens: sumOf(those, "input_tokens"),
      output_tokens: sumOf(those, "output_tokens"),
      cache_read_tokens: sumOf(those, "cache_read.input_tokens"),
      cache_write_tokens: sumOf(those, "cache_write.input_tokens"),
    });
    const [team] = (output.step_executor_runs ?? []) as RunOutput[]; // a step of a team
    const all = team ? [team, ...(team.member_responses ?? [])] : [];
    expect(all.map(({ metrics }) => metrics?.input_tokens)).toEqual([274, 87]);
    for (const { run_id, metrics } of all) {
      const own = spans.filter(({ attributes }) => attributes["agent_platform.run.id"] === run_id);
      const calls = chatsOf(spans).filter(({ parentSpanId }) => parentSpanId === own[0]?.spanId);
      expect(metrics).toMatchObject(withoutZeros(usedBy(calls)));
      const { input_tokens, output_tokens } = usedBy(calls);
      expect(usedBy(own)).toMatchObject({ input_tokens, output_tokens });
    }
    expect(output.metrics).toMatchObject(withoutZeros(usedBy(chatsOf(spans))));
  });
});

const withoutZeros = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

test("a span that failed says by what, and no other does", async () => {
  const refused = (status: number): Reply => ({
    fails: { kind: "status", status, message: "it does not work" },
  });
  const { spans, output } = await exported((plan) => [
    delegated(plan, {}),
    calling("add_numbers", { a: "two", b: 3 }),
    refused(400),
    refused(500),
  ]);
  expect(output.status).toBe("ERROR");
  const failed = spans.filter(({ status }) => status.code === 2);
  expect(failed.map(({ name, attributes }) => [name, attributes["error.type"]])).toEqual([
    ["execute_tool add_numbers", "tool"],
    ["chat claude-sonnet-4-5", "input"],
    ["invoke_agent Adder", "input"],
    ["execute_tool delegate_task_to_member", "tool"],
    ["chat claude-sonnet-4-5", "model"],
    ["invoke_agent Help desk", "model"],
    ["work.execute", "model"],
    ["invoke_workflow Flow", "model"],
  ]);
  expect(spans.filter(({ attributes }) => "error.type" in attributes)).toEqual(failed);
});

test("a run that reaches a limit of its own says which, as its event does", async () => {
  const looper = defineAgent({ id: "looper", name: "Looper", tools: [addNumbers], max_steps: 1 });
  const { spans } = await exported(
    () => Array.from({ length: 3 }, () => calling("add_numbers", { a: 2, b: 3 })),
    [{ name: "work", type: "Step", executor: looper }],
  );
  expect(named(spans, "invoke_agent Looper")[0]?.attributes["error.type"]).toBe("max_steps");
});

test("a call that fails beside the run says by what, and the run is well", async () => {
  const { spans, output } = await exported(() => [
    { text: ["5"] },
    { fails: { kind: "status", status: 400, message: "no followups" } },
  ]);
  expect(output.status).toBe("COMPLETED");
  const failed = spans.filter(({ attributes }) => "error.type" in attributes);
  expect(failed).toEqual([chatsOf(spans)[1]]);
  expect(failed[0]?.attributes).toMatchObject({ "error.type": "input" });
});

test("a step whose function throws says what it threw, whether the workflow goes on or not", async () => {
  const throws = (thrown: Error) => () => {
    throw thrown;
  };
  const { spans } = await exported(
    () => [],
    [
      { name: "check", type: "Step", executor: throws(new RangeError("too far")), on_error: "skip" },
      { name: "book", type: "Step", executor: throws(new TypeError("no date")) },
    ],
  );
  const typeOf = (name: string) => named(spans, name)[0]?.attributes["error.type"];
  expect(["check.execute", "book.execute", "invoke_workflow Flow"].map(typeOf)).toEqual([
    ...["RangeError", "TypeError", "TypeError"],
  ]);
});

test("a step that a person refuses, and a router that chooses none of its choices, say so", async () => {
  const says = (name: string): WorkflowStep => ({ name, type: "Step", executor: () => name });
  const asks: WorkflowStep = {
    ...{ name: "book", type: "Step", executor: () => "booked" },
    review: { requires_confirmation: true, on_reject: "cancel" },
  };
  const no = [{ step_id: "book", confirmed: false }];
  const refused = await exported(() => [], [says("check"), asks], no);
  const router: WorkflowStep = {
    ...{ name: "choose", type: "Router", choices: [says("left"), says("right")], selector: () => "up" },
  };
  const lost = await exported(() => [], [router]);
  const failedIn = ({ output, spans }: typeof lost) => [
    output.status,
    ...spans.flatMap(({ name, status, attributes }) =>
      status.code === 2 ? [[name, attributes["error.type"]]] : [],
    ),
  ];
  expect(failedIn(refused)).toEqual(["CANCELLED", ["book.execute", "refused"]]);
  expect(failedIn(lost)).toEqual(["ERROR", ["choose.execute", "route"], ["invoke_workflow Flow", "route"]]);
});
