import { setTimeout as sleep } from "node:timers/promises";
import { type Client, framesOf } from "../../support/client.ts";
import type { HostileModel, ModelRequest } from "../../support/hostile-model/start-hostile-model.ts";
import type { Reply, Turn } from "../../support/hostile-model/turn.ts";
import { answer, type ModelBehaviour } from "./failures.ts";

export type FlowWorld = { readonly model: HostileModel; readonly client: Client };

/** One run of a provider's component over one behaviour of its model. */
export type FlowCall = FlowWorld & {
  readonly provider: string;
  /** Unique; names the plan. */
  readonly key: string;
  readonly behaviour: ModelBehaviour;
};

/** How the run ended, in a line; see `outcomeOf`. */
export type Flow = (call: FlowCall) => Promise<string>;

const refund: Turn = { calls: [{ id: "call_r", name: "issue_refund", arguments: '{"order_id":"A-1"}' }] };

/** Answers with turns, of which the one at `strikes` goes as the behaviour has it. */
function repliesOf(turns: readonly Turn[], strikes: number, { replies }: ModelBehaviour) {
  const struck = turns.slice(strikes, strikes + 1).flatMap((turn) => replies(turn));
  const all: Reply[] = [...turns.slice(0, strikes), ...struck, ...turns.slice(strikes + 1)];
  const last = all.at(-1) ?? answer;
  return (_: ModelRequest, at: number): Reply => all[at] ?? last;
}

/** The run of `component`, from its form to its record. */
function component({ client }: FlowWorld, path: string) {
  const session_id = crypto.randomUUID();
  const read = (run_id: string) => client.get(`/${path}/runs/${run_id}?session_id=${session_id}`);
  const form = (message: string, more: Record<string, string> = {}) => ({
    form: { message, session_id, stream: "false", ...more },
  });
  return {
    run: async (message: string) => (await client.post(`/${path}/runs`, form(message))).json,
    stream: (message: string) => client.post(`/${path}/runs`, form(message, { stream: "true" })),
    submit: async (message: string) =>
      (await client.post(`/${path}/runs`, form(message, { background: "true" }))).json,
    cancel: (run_id: string) => client.post(`/${path}/runs/${run_id}/cancel`),
    read: async (run_id: string) => (await read(run_id)).json,
    confirm: async ({ run_id, tools = [] }: RunJson) => {
      const confirmed = tools.map((tool) => ({ ...tool, confirmed: true }));
      const sent = { tools: JSON.stringify(confirmed), session_id, stream: "false" };
      return (await client.post(`/${path}/runs/${run_id}/continue`, { form: sent })).json;
    },
    async settled(run_id: string): Promise<RunJson> {
      for (;;) {
        const { status, json } = await read(run_id);
        if (status === 200 && json.status !== "PENDING" && json.status !== "RUNNING") return json;
        await sleep(100);
      }
    },
  };
}

type RunJson = {
  readonly run_id: string;
  readonly status?: string;
  readonly content?: unknown;
  readonly finish_reason?: string;
  readonly metrics?: { readonly total_tokens?: number };
  readonly detail?: unknown;
  readonly tools?: readonly Record<string, unknown>[];
  readonly member_responses?: readonly RunJson[];
};

/**
 * `ok`: completed with the model's whole answer; else the status with the text that the caller reads. The number is that of
 * the requests that the model got.
 */
function outcomeOf(run: RunJson, requests: number, expected: string = (answer.text ?? []).join("")): string {
  const { status = "no run", content, finish_reason, detail, metrics } = run;
  const end = finish_reason === undefined ? "" : ` [${finish_reason}]`;
  const text = JSON.stringify(content ?? detail)?.replace(/plan-[\w.-]+/, "…");
  const says = status === "COMPLETED" && content === expected ? "ok" : `${status} ${text}`;
  const { total_tokens = 0 } = metrics ?? {};
  const counted = status !== "COMPLETED" || !metrics || total_tokens > 0 ? "" : ` tokens ${total_tokens}`;
  return `${says}${end}${counted} ×${requests}`;
}

const agentPath = ({ provider }: FlowCall, who = "clerk") => `agents/${provider}-${who}`;

const run: Flow = async (call) => {
  const plan = call.model.plan(call.key, repliesOf([answer], 0, call.behaviour));
  const ended = await component(call, agentPath(call)).run(`${call.key} what is 2 + 3?`);
  return outcomeOf(ended, plan.requests.length);
};

const stream: Flow = async (call) => {
  const plan = call.model.plan(call.key, repliesOf([answer], 0, call.behaviour));
  const clerk = component(call, agentPath(call));
  const frames = framesOf((await clerk.stream(`${call.key} what is 2 + 3?`)).text);
  const deltas = frames.filter(({ event }) => event === "RunContent").map(({ data }) => data.content);
  const last = frames.at(-1);
  const ended = await clerk.settled(String(frames[0]?.data.run_id));
  const outcome = outcomeOf(ended, plan.requests.length);
  const lost = ended.status === "COMPLETED" && ended.content !== deltas.join("") ? " content≠deltas" : "";
  return `${outcome}${lost}${last?.event === "RunCompleted" ? "" : ` ${last?.event}`}`;
};

const background: Flow = async (call) => {
  const plan = call.model.plan(call.key, repliesOf([answer], 0, call.behaviour));
  const clerk = component(call, agentPath(call));
  const { run_id } = await clerk.submit(`${call.key} what is 2 + 3?`);
  return outcomeOf(await clerk.settled(run_id), plan.requests.length);
};

/** It strikes before the pause, or after it. */
const pausing =
  (strikes: 0 | 1): Flow =>
  async (call) => {
    const plan = call.model.plan(call.key, repliesOf([refund, answer], strikes, call.behaviour));
    const clerk = component(call, agentPath(call));
    const first: RunJson = await clerk.run(`${call.key} refund A-1`);
    if (first.status !== "PAUSED") return outcomeOf(first, plan.requests.length);
    return outcomeOf(await clerk.confirm(first), plan.requests.length);
  };

const team: Flow = async (call) => {
  const { provider, key, behaviour } = call;
  const task = { member_id: `${provider}-clerk`, task: `${key}.member what is 2 + 3?` };
  const delegate: Turn = {
    calls: [{ id: "call_d", name: "delegate_task_to_member", arguments: JSON.stringify(task) }],
  };
  call.model.plan(key, repliesOf([delegate, { text: ["Done."] }], 9, behaviour));
  const member = call.model.plan(`${key}.member`, repliesOf([answer], 0, behaviour));
  const ended: RunJson = await component(call, `teams/${provider}-team`).run(`${key} ask the clerk`);
  const [first] = ended.member_responses ?? [];
  const leader =
    ended.status === "COMPLETED" && ended.content === "Done."
      ? ""
      : ` leader ${ended.status} ${JSON.stringify(ended.content)}`;
  return `${outcomeOf(first ?? ended, member.requests.length)}${leader}`;
};

const workflow: Flow = async (call) => {
  const plan = call.model.plan(call.key, repliesOf([answer], 0, call.behaviour));
  const ended = await component(call, `workflows/${call.provider}-workflow`).run(
    `${call.key} what is 2 + 3?`,
  );
  return outcomeOf(ended, plan.requests.length, `Published: ${(answer.text ?? []).join("")}`);
};

/** Cancelled once the model has its request. */
const cancel: Flow = async (call) => {
  const plan = call.model.plan(call.key, repliesOf([answer], 0, call.behaviour));
  const clerk = component(call, agentPath(call));
  const { run_id } = await clerk.submit(`${call.key} what is 2 + 3?`);
  while (plan.requests.length === 0) await sleep(20);
  await sleep(400);
  await clerk.cancel(run_id);
  const { status, content } = await clerk.settled(run_id);
  // How far it got is a matter of time.
  const isPart = (answer.text ?? []).join("").startsWith(String(content));
  return `${status} ${isPart ? "with what came" : JSON.stringify(content)}`;
};

const budget: Flow = async (call) => {
  const plan = call.model.plan(call.key, repliesOf([answer], 0, call.behaviour));
  const ended = await component(call, agentPath(call, "saver")).run(`${call.key} what is 2 + 3?`);
  return outcomeOf(ended, plan.requests.length);
};

export const flows = {
  run,
  stream,
  background,
  pause: pausing(0),
  continue: pausing(1),
  team,
  workflow,
  budget,
  cancel,
} as const satisfies Readonly<Record<string, Flow>>;

export type FlowName = keyof typeof flows;
