import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Item } from "../../shared/data/item.ts";
import type { AcceptedRun, RunOutput } from "../../shared/schemas/runs/run.ts";
import { type Client, clientOf } from "./client.ts";
import { type Answered, faultLab, taken } from "./fault-lab.ts";
import { type RunningPlatform, startPlatform } from "./platform.ts";
import { type Stored, viewStores } from "./stored.ts";

/** A platform whose stores can be made to fail, two callers, and what their requests may need to find in place. */
export type FaultWorld = Awaited<ReturnType<typeof startFaultWorld>>;

/** The routes of the agent that most requests are for. */
export const runsPath = "/agents/assistant/runs";

export async function startFaultWorld() {
  // The count of requests is written now and then, which is no part of what a request leaves behind. A place of a
  // foreground run that cannot be freed stays taken for longer than the tests last, and the next run chooses by chance:
  // there are so many that it finds a free one.
  const env = { REQUESTS_PER_MINUTE: "0", MAX_FOREGROUND_PER_USER: "100000", FEEDBACK_LINKS: "on" };
  const platform = await startPlatform({ env });
  const maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run"]));
  const admin = clientOf(platform.url, platform.adminToken);
  const stores = viewStores(platform);
  // What these functions ask for when they start belongs to no request.
  const started = ["/agents", "/components", "/a2a/agents/assistant/.well-known/agent-card.json"];
  await Promise.all(started.map(admin.get));
  const endedRun = async (message: string): Promise<AcceptedRun> => {
    const run = await maria.submit(message);
    await maria.settled(run);
    return run;
  };
  /** A run that ended well, in a session of its own. */
  const past = await endedRun("once upon a time");
  return {
    platform,
    maria,
    admin,
    stores,
    lab: faultLab(platform),
    past,
    endedRun,
    failedRun: () => endedRun("[[fail:boom]]"),
    /** A run that waits for an approval, in the foreground. */
    undecidedRun: () => undecidedRun(platform),
    /** A session of maria's that no run was in yet. */
    openSession: async (): Promise<AcceptedRun> => {
      const { json } = await admin.post("/sessions", { json: { user_id: "maria" } });
      return { run_id: "", session_id: json.session_id, status: "PENDING" };
    },
    /** The stores once nothing moves any more: workers have ended what they were called for. */
    settled: () => settled(platform, stores.read),
    stop: async () => {
      stores.close();
      await platform.stop();
    },
  };
}

const deskScopes = ["agents:read", "agents:run", "approvals:read"];

async function undecidedRun(platform: RunningPlatform): Promise<RunOutput> {
  const client = clientOf(platform.url, platform.token("maria", deskScopes));
  const form = { message: '[[tool:close_account {"account":"K-7"}]]', stream: "false" };
  return (await client.post("/agents/account-desk/runs", { form })).json;
}

/** A run that a user starts at the assistant. */
export const start = (client: Client, form: Record<string, string>, headers = {}): Promise<Answered> =>
  taken(client.send("POST", runsPath, { form: { message: "go on", ...form }, headers }));

/** A run whose message was lost: it waits until it is sent again. */
export async function waitingRun({ lab, maria }: FaultWorld): Promise<AcceptedRun> {
  const answer = await lab.fail("sqs SendMessage", "refused", () =>
    start(maria, { stream: "false", background: "true" }),
  );
  if (answer.status !== 202) throw new Error("the run was not accepted");
  return answer.json;
}

/** What a worker's queue holds. */
type Messages = "ready or in flight" | "delayed" | "none";

/**
 * For so many seconds after a change the worker's message about it is waited for. One that is there is taken as soon as there
 * is a processor; one that is delayed may be the next attempt, in minutes. Without one it was lost.
 */
const AWAITED_SECONDS: Readonly<Record<Messages, number>> = { "ready or in flight": 30, delayed: 6, none: 0 };

const isAwaited = (messages: Messages, changedAt: unknown): boolean =>
  Date.now() / 1000 - Number(changedAt) < AWAITED_SECONDS[messages];

/** Whether a worker has a content, or is about to be notified of it. */
const isUnderWay = ({ sk, lease_token, due_at, updated_at }: Item, messages: Messages): boolean =>
  sk === "content" &&
  (lease_token !== undefined || (due_at !== undefined && isAwaited(messages, updated_at)));

/** The same of an evaluation, or of what is left of one. */
const isWorkedOff = ({ sk, status, worker, removed_at, created_at }: Item, messages: Messages): boolean =>
  sk === "eval" &&
  ((status === "running" && worker !== undefined) ||
    ((status === "running" || removed_at !== undefined) && isAwaited(messages, removed_at ?? created_at)));

function messagesFor({ model, sqs }: RunningPlatform, worker: string): Messages {
  const queues = model.eventSources
    .filter((source) => source.function.label.startsWith(worker))
    .map(({ queueName }) => sqs.queue(queueName));
  if (queues.some(({ messages, inflightMessages }) => messages.length + inflightMessages.size > 0))
    return "ready or in flight";
  return queues.some(({ delayedMessages }) => delayedMessages.length > 0) ? "delayed" : "none";
}

async function settled(platform: RunningPlatform, read: () => Promise<Stored>): Promise<Stored> {
  for (let last: Stored | undefined; ; await pause(20)) {
    // Before the tables: what a message is deleted for has been written by then.
    const forContents = messagesFor(platform, "KnowledgeWorker");
    const forEvals = messagesFor(platform, "EvalWorker");
    const stored = await read();
    const isBusy =
      stored.jobs.some(({ status }) => status === "running") ||
      stored.knowledge.some((item) => isUnderWay(item, forContents)) ||
      stored.evals.some((item) => isWorkedOff(item, forEvals));
    if (!isBusy && isDeepStrictEqual(stored, last)) return stored;
    last = stored;
  }
}
