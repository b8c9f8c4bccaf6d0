import { setTimeout as pause } from "node:timers/promises";
import { WEBHOOK_SECRET } from "../chat-platforms/bot-server.ts";
import { signatureOf, VERIFY_TOKEN } from "../chat-platforms/graph-server.ts";
import { slackHeaders } from "../chat-platforms/slack-server.ts";
import type { Answer, Client } from "../client.ts";
import { type Operation, operations } from "./document.ts";
import type { Thing } from "./known-ids.ts";

/** What a request is about that succeeds, in place of what the description's example says. */
export type Staged = {
  readonly about: Thing;
  /** In place of the example's whole query. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** In place of the example's whole body. */
  readonly body?: unknown;
  /** What is added to the headers, by the body that is sent. */
  readonly signed?: (body: string) => Readonly<Record<string, string>>;
};

type Stage = (admin: Client) => Promise<Staged>;
type Noun = "agent" | "team" | "workflow";
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely, as in tests
type Json = any;

let made = 0;
/** An id or a name that nothing has yet. */
const fresh = (): string => {
  made += 1;
  return `staged-${Date.now().toString(36)}-${made}`;
};

/** @throws when what is needed for a request cannot be brought about */
async function done(asked: Promise<Answer>): Promise<Json> {
  const { status, json, text } = await asked;
  if (status >= 300) throw new Error(`a stage was answered ${status}: ${text.slice(0, 300)}`);
  return json;
}

/** @returns the first answer that is as it should be */
async function until<Value>(read: () => Promise<Value>, fits: (value: Value) => boolean): Promise<Value> {
  for (const end = Date.now() + 20_000; ; await pause(25)) {
    const value = await read();
    if (fits(value)) return value;
    if (Date.now() > end) throw new Error(`a stage is not reached: ${JSON.stringify(value).slice(0, 300)}`);
  }
}

const exampleBody = (operationId: string): object => {
  const found: Operation | undefined = operations.find((one) => one.operationId === operationId);
  const [media] = Object.values(found?.requestBody?.content ?? {});
  return media?.example as object; // the examples of bodies are objects
};

const running: Readonly<Record<Noun, string>> = {
  agent: "assistant",
  team: "support-team",
  workflow: "publish-report",
};

/** Starts a run of the usual component of a kind, or of another. */
async function run(admin: Client, noun: Noun, form: Readonly<Record<string, string>>, id = running[noun]) {
  const started = await done(admin.post(`/${noun}s/${id}/runs`, { form: { stream: "false", ...form } }));
  const { run_id, session_id } = started;
  const about: Thing = { [`${noun}_id`]: id, run_id, session_id };
  return { started, about, run_id: String(run_id), session_id: String(session_id) };
}

const LETTER = '[[tool:send_letter {"to":"Eva","text":"hi"}]]';
const REFUND = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';
const DELEGATED = `[[tool:delegate_task_to_member ${JSON.stringify({ member_id: "refund-desk", task: REFUND })}]]`;
const CONFIRMED = { confirmed: true };

/** A run that waits for a person. */
const paused = (admin: Client, noun: Noun) =>
  noun === "agent"
    ? run(admin, noun, { message: LETTER }, "front-desk")
    : run(admin, noun, { message: noun === "team" ? DELEGATED : "the lighthouse" });

const continueAgentRun: Stage = async (admin) => {
  const { started, about, session_id } = await paused(admin, "agent");
  const tools = started.tools.map((call: object) => ({ ...call, ...CONFIRMED }));
  return { about, body: { session_id, stream: false, tools: JSON.stringify(tools) } };
};

const continueTeamRun: Stage = async (admin) => {
  const { started, about, session_id } = await paused(admin, "team");
  const requirements = started.requirements.map((one: Json) => ({
    ...one,
    confirmation: true,
    tool_execution: { ...one.tool_execution, ...CONFIRMED },
  }));
  return { about, body: { session_id, stream: false, requirements: JSON.stringify(requirements) } };
};

const continueWorkflowRun: Stage = async (admin) => {
  const { started, about, session_id } = await paused(admin, "workflow");
  const answers = started.step_requirements.map((one: object) => ({ ...one, ...CONFIRMED }));
  return { about, body: { session_id, stream: false, step_requirements: JSON.stringify(answers) } };
};

/** A run that has ended. */
const ended =
  (noun: Noun): Stage =>
  async (admin) => {
    const { about, session_id } = await run(admin, noun, { message: "hello" });
    return { about, query: { session_id } };
  };

const aLoggedRun: Stage = async (admin) => {
  const { about } = await run(admin, "agent", { message: "hello" });
  return { about, query: {} };
};

/** A run that goes on for a while yet. */
const live =
  (noun: Noun, ms: number) =>
  async (admin: Client): Promise<Staged & { readonly run_id: string; readonly session_id: string }> => {
    const message = `[[sleep:${ms}]] slowly`;
    const { about, run_id, session_id } = await run(admin, noun, { message, background: "true" });
    return { about, run_id, session_id, query: {} };
  };

/** The same, cancelled while it is followed: a workflow would wait for a person at its end. */
const soonCancelled =
  (noun: Noun): Stage =>
  async (admin) => {
    const { about, run_id, session_id } = await live(noun, 150)(admin);
    const cancel = () =>
      admin.post(`/${noun}s/${running[noun]}/runs/${run_id}/cancel?session_id=${session_id}`);
    // Its outcome is in what the follower receives.
    setTimeout(() => void cancel().catch(() => undefined), 300);
    return { about, query: {} };
  };

/** The body with which the older dialect asks for a task. */
const enveloped =
  (noun: Noun): Stage =>
  async (admin) => {
    const { about, run_id, session_id } = await paused(admin, noun);
    return { about, body: { jsonrpc: "2.0", id: "1", params: { id: run_id, contextId: session_id } } };
  };

const anApproval: Stage = async (admin) => {
  const message = '[[tool:close_account {"account":"4711"}]]';
  const { run_id } = await run(admin, "agent", { message }, "account-desk");
  const { data } = await done(admin.get(`/approvals?run_id=${run_id}`));
  return { about: { approval_id: data[0].id } };
};

async function failedJob(admin: Client): Promise<string> {
  const { run_id } = await run(admin, "agent", { message: "[[fail:boom]]", background: "true" });
  const job = () => done(admin.get(`/queue/jobs/${run_id}`));
  await until(job, ({ status }) => status === "failed");
  return run_id;
}

const aFailedJob: Stage = async (admin) => ({
  about: { job_id: await failedJob(admin) },
  query: { force: true },
});

const manyFailedJobs: Stage = async (admin) => {
  await failedJob(admin);
  const body = { status: ["failed"], error_contains: "boom", limit: 5, force: true, dry_run: false };
  return { about: {}, body };
};

const manyLiveJobs: Stage = async (admin) => {
  await live("agent", 2_000)(admin);
  const body = { status: ["queued", "running"], component_id: running.agent, limit: 50, dry_run: false };
  return { about: {}, body };
};

const aSession: Stage = async (admin) => {
  const { session_id } = await run(admin, "agent", { message: "hello" });
  return { about: { session_id }, query: { type: "agent" } };
};

const aMedium: Stage = async (admin) => {
  const message = '[[tool:draw_badge {"colour":"#00aa55"}]]';
  const { started, session_id } = await run(admin, "agent", { message });
  const key: string = started.images[0].media_reference.storage_key;
  return { about: { session_id, key } };
};

/** A stored component whose first version is live. */
async function stored(admin: Client, noun: Noun): Promise<string> {
  const component_id = fresh();
  const kind = `${noun[0]?.toUpperCase()}${noun.slice(1)}`;
  const json = { ...exampleBody(`create${kind}`), component_id, stage: "published" };
  await done(admin.post(`/${noun}s`, { json }));
  return component_id;
}

const ofKind =
  (noun: Noun): Stage =>
  async (admin) => ({ about: { [`${noun}_id`]: await stored(admin, noun) }, query: {} });

const aComponent: Stage = async (admin) => ({ about: { component_id: await stored(admin, "agent") } });

const anArchivedComponent: Stage = async (admin) => {
  const component_id = await stored(admin, "agent");
  await done(admin.call("DELETE", `/components/${component_id}`));
  return { about: { component_id } };
};

/** With a second version. @param asked  which one the request is about */
const versions =
  (stage: "draft" | "published", asked: string): Stage =>
  async (admin) => {
    const component_id = await stored(admin, "agent");
    const json = { ...exampleBody("createConfigVersion"), stage };
    await done(admin.post(`/components/${component_id}/configs`, { json }));
    return { about: { component_id, version: asked }, body: {} };
  };

async function schedule(admin: Client): Promise<string> {
  const json = { ...exampleBody("createSchedule"), name: fresh() };
  return (await done(admin.post("/schedules", { json }))).id;
}

const aSchedule: Stage = async (admin) => ({ about: { schedule_id: await schedule(admin) } });

const aScheduleRun: Stage = async (admin) => {
  const schedule_id = await schedule(admin);
  const { id } = await done(admin.post(`/schedules/${schedule_id}/trigger`));
  return { about: { schedule_id, run_id: id } };
};

const content =
  (form: Readonly<Record<string, string>>): Stage =>
  async (admin) => {
    const { id } = await done(admin.post("/knowledge/content", { form: { name: fresh(), ...form } }));
    return { about: { content_id: id }, query: {} };
  };

const CASES = "input\nhello\n";
const casesForm = (): FormData => {
  const form = new FormData();
  form.append("name", fresh());
  form.append("file", new File([CASES], "cases.csv"));
  return form;
};
const aDataset: Stage = async (admin) => {
  const { id } = await done(admin.post("/eval-datasets", { form: casesForm() }));
  return { about: { dataset_id: id }, query: {} };
};

async function evalOf(admin: Client): Promise<string> {
  const json = { eval_type: "performance", agent_id: "assistant", input: "hello", background: true };
  return (await done(admin.post("/eval-runs", { json }))).id;
}
const anEval: Stage = async (admin) => ({ about: { eval_run_id: await evalOf(admin) }, query: {} });
const twoEvals: Stage = async (admin) => {
  const id = await evalOf(admin);
  return { about: {}, query: { ids: `${id},${id}` } };
};

/** The only base, with the source that `reachable-platform.ts` sets up. */
const aSource: Stage = async (admin) => {
  const { knowledge } = await done(admin.get("/config"));
  const [{ id }] = knowledge.knowledge_instances;
  return { about: { knowledge_id: id, source_id: SOURCE_ID }, query: {} };
};

/** Id and one object of the source. */
export const SOURCE_ID = "manuals";
export const SOURCE_FILE = "manuals/returns.txt";

const fromSource: Stage = async (admin) => ({
  ...(await aSource(admin)),
  body: { config_id: SOURCE_ID, path: SOURCE_FILE },
});

const aMemory: Stage = async (admin) => {
  const { memory_id } = await done(admin.post("/memories", { json: exampleBody("createMemory") }));
  return { about: { memory_id }, query: {} };
};

const aLearning: Stage = async (admin) => {
  const json = { ...exampleBody("createLearning"), learning_type: "learned_knowledge" };
  const { learning_id } = await done(admin.post("/learnings", { json }));
  return { about: { learning_id }, query: {} };
};

const anEndpoint: Stage = async (admin) => {
  const { id } = await done(admin.post("/webhook-endpoints", { json: exampleBody("createWebhookEndpoint") }));
  return { about: { endpoint_id: id } };
};
/** Endpoints of one owner are limited, so what only looks at one, or changes it, takes the same one again. */
const endpoints = new WeakMap<Client, Promise<Staged>>();
const someEndpoint: Stage = (admin) => {
  const known = endpoints.get(admin) ?? anEndpoint(admin);
  endpoints.set(admin, known);
  return known;
};
/** A delivery that is not being sent: a try counts from its beginning, and is recorded at its end. */
const aDelivery: Stage = async (admin) => {
  const { about } = await someEndpoint(admin);
  const { id } = await done(admin.post(`/webhook-endpoints/${about.endpoint_id}/test`));
  await until(
    async () => (await done(admin.get(`/webhook-deliveries/${id}`))).attempts.length,
    (attempts) => attempts > 0,
  );
  return { about: { delivery_id: id } };
};

const handshake: Stage = async () => ({
  about: {},
  query: { "hub.mode": "subscribe", "hub.verify_token": VERIFY_TOKEN, "hub.challenge": "1158201444" },
});

/** A task is found by its id alone where a message started it. */
const aTask =
  (noun: Noun): Stage =>
  async (admin) => {
    const parts = [{ text: noun === "agent" ? LETTER : DELEGATED }];
    const message = { messageId: fresh(), role: "ROLE_USER", parts };
    const id = noun === "agent" ? "front-desk" : running[noun];
    const path = `/a2a/${noun}s/${id}/v1/message:send?A2A-Version=1.0`;
    const { task } = await done(admin.post(path, { json: { message } }));
    return { about: { [`${noun}_id`]: id, task_id: task.id }, query: { "A2A-Version": "1.0" } };
  };

/** A place where a client is notified of a task. */
const aPushConfig =
  (noun: Noun): Stage =>
  async (admin) => {
    const { about, query } = await aTask(noun)(admin);
    const task = `/a2a/${noun}s/${about[`${noun}_id`]}/v1/tasks/${about.task_id}`;
    const json = exampleBody("createAgentPushConfig");
    const path = `${task}/pushNotificationConfigs?A2A-Version=1.0`;
    const { id } = await done(admin.post(path, { json }));
    return { about: { ...about, config_id: id }, query: query ?? {} };
  };

const forTasks = (noun: Noun) => {
  const kind = `${noun[0]?.toUpperCase()}${noun.slice(1)}`;
  return {
    [`get${kind}Task`]: aTask(noun),
    [`follow${kind}Task`]: soonCancelled(noun),
    [`subscribeTo${kind}Task`]: soonCancelled(noun),
    [`cancel${kind}Task`]: aTask(noun),
    [`create${kind}PushConfig`]: aTask(noun),
    [`list${kind}PushConfigs`]: aPushConfig(noun),
    [`get${kind}PushConfig`]: aPushConfig(noun),
    [`remove${kind}PushConfig`]: aPushConfig(noun),
    [`read${kind}Task`]: enveloped(noun),
    [`stop${kind}Task`]: enveloped(noun),
  };
};

/**
 * What has to be there, or to be known, for an operation to succeed, where its example and the answers of the other
 * operations do not suffice. Brought about anew each time: most of it is used up by a request.
 */
export const stages: Readonly<Record<string, Stage>> = {
  getWebhookEndpoint: someEndpoint,
  updateWebhookEndpoint: someEndpoint,
  removeWebhookEndpoint: anEndpoint,
  rotateWebhookSecret: someEndpoint,
  testWebhookEndpoint: someEndpoint,
  getWebhookDelivery: aDelivery,
  redeliverWebhook: aDelivery,
  continueAgentRun,
  continueTeamRun,
  continueWorkflowRun,
  forkAgentSession: ended("agent"),
  forkTeamSession: ended("team"),
  resolveApproval: anApproval,
  requeueJob: aFailedJob,
  getJob: aFailedJob,
  getRunLog: aLoggedRun,
  requeueJobs: manyFailedJobs,
  cancelJobs: manyLiveJobs,
  getSession: aSession,
  getSessionMedium: aMedium,
  updateAgent: ofKind("agent"),
  updateTeam: ofKind("team"),
  updateWorkflow: ofKind("workflow"),
  removeAgent: ofKind("agent"),
  removeTeam: ofKind("team"),
  removeWorkflow: ofKind("workflow"),
  updateComponent: aComponent,
  removeComponent: aComponent,
  restoreComponent: anArchivedComponent,
  setCurrentConfigVersion: versions("published", "1"),
  updateConfigVersion: versions("draft", "2"),
  removeConfigVersion: versions("draft", "2"),
  triggerSchedule: aSchedule,
  getEval: anEval,
  compareEvals: twoEvals,
  createDataset: async () => ({ about: {}, body: { name: "questions", file: CASES } }),
  getDataset: aDataset,
  listDatasetCases: aDataset,
  createDatasetVersion: async (admin) => ({ ...(await aDataset(admin)), body: { file: CASES } }),
  removeDataset: aDataset,
  getScheduleRun: aScheduleRun,
  listContent: async () => ({ about: {}, query: { limit: 20 } }),
  removeContent: content({ text_content: "to be removed" }),
  refreshContent: content({ url: "https://example.com/returns" }),
  listKnowledgeSources: aSource,
  listSourceFiles: aSource,
  addRemoteContent: fromSource,
  getMemory: aMemory,
  updateMemory: aMemory,
  removeMemory: aMemory,
  optimizeMemories: aMemory,
  getLearning: aLearning,
  updateLearning: aLearning,
  removeLearning: aLearning,
  ...forTasks("agent"),
  ...forTasks("team"),
  ...forTasks("workflow"),
  verifyWhatsappWebhook: handshake,
  receiveWhatsappWebhook: async () => ({
    about: {},
    signed: (body) => ({ "x-hub-signature-256": signatureOf(body) }),
  }),
  receiveTelegramWebhook: async () => ({
    about: {},
    signed: () => ({ "x-telegram-bot-api-secret-token": WEBHOOK_SECRET }),
  }),
  receiveSlackEvent: async () => ({ about: {}, signed: (body) => slackHeaders(body) }),
  receiveSlackInteraction: async () => ({ about: {}, signed: (body) => slackHeaders(body) }),
};
