import { setTimeout as pause } from "node:timers/promises";
import { families } from "../../../shared/routes/index.ts";
import type { Route, RouteTable } from "../../../shared/routes/route.ts";
import { traceIdOf } from "../../../shared/stores/traces/trace-item.ts";
import { WEBHOOK_SECRET } from "../chat-platforms/bot-server.ts";
import { signatureOf, VERIFY_TOKEN } from "../chat-platforms/graph-server.ts";
import { slackHeaders } from "../chat-platforms/slack-server.ts";
import type { Answer, Client } from "../client.ts";

/** The ids of one thing, by the names of the variables that they stand for: a run's are its own, its session's, its agent's. */
export type Thing = Readonly<Record<string, string>>;

/** What a request is about that succeeds. */
export type Staged = {
  readonly about: Thing;
  /** In addition to the query of the row's example. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** In addition to the members of the example's body. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** What is added to the headers, by the body that is sent. */
  readonly signed?: (body: string) => Readonly<Record<string, string>>;
  /** Where it is soon over: it is made anew after others have asked. */
  readonly isBrief?: true;
  /** Where only an admin may ask. */
  readonly asAdmin?: true;
};

/** @param owner  whose things are made. @param admin  who may do what no owner may */
type Stage = (owner: Client, admin: Client) => Promise<Staged>;
type Noun = "agent" | "team" | "workflow";
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely, as in tests
type Json = any;

let made = 0;
/** What ends a name that nothing else has. */
export const FRESH_SUFFIX = /-x[0-9a-z]{8,}/g;
export const fresh = (name: string): string => {
  made += 1;
  return `${name}-x${Date.now().toString(36)}${made}`;
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

const rows: Readonly<Record<string, Route>> = Object.assign({}, ...Object.values<RouteTable>(families));
const exampleBody = (operationId: string): object => Object(rows[operationId]?.example?.body);

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

const QUESTION = "Where is my order?";
const FAILING = "[[fail:the model did not answer within 60 s]]";
const LETTER = '[[tool:send_letter {"to":"Eva","text":"Your order was sent."}]]';
const REFUND = '[[tool:issue_refund {"order_id":"4711","amount":5}]]';
const DELEGATED = `[[tool:delegate_task_to_member ${JSON.stringify({ member_id: "refund-desk", task: REFUND })}]]`;
const CONFIRMED = { confirmed: true };

/** A run that waits for a person. */
const paused = (admin: Client, noun: Noun) =>
  noun === "agent"
    ? run(admin, noun, { message: LETTER }, "front-desk")
    : run(admin, noun, { message: noun === "team" ? DELEGATED : "the lighthouse" });

const continueAgentRun: Stage = async (admin) => {
  const { started, about, session_id } = await paused(admin, "agent");
  const tools = started.tools.map(({ tool_call_id }: Json) => ({ tool_call_id, ...CONFIRMED }));
  return { about, body: { session_id, stream: false, tools: JSON.stringify(tools) } };
};

const continueTeamRun: Stage = async (admin) => {
  const { started, about, session_id } = await paused(admin, "team");
  const requirements = started.requirements.map(({ id }: Json) => ({ id, confirmation: true }));
  return { about, body: { session_id, stream: false, requirements: JSON.stringify(requirements) } };
};

const continueWorkflowRun: Stage = async (admin) => {
  const { started, about, session_id } = await paused(admin, "workflow");
  const answers = started.step_requirements.map(({ step_id }: Json) => ({ step_id, ...CONFIRMED }));
  return { about, body: { session_id, stream: false, step_requirements: JSON.stringify(answers) } };
};

/** A run that has ended. */
const ended =
  (noun: Noun): Stage =>
  async (owner) => {
    const { about } = await run(owner, noun, {
      message: noun === "workflow" ? "The week in numbers" : QUESTION,
    });
    return { about };
  };

const aCheckpoint =
  (noun: Noun): Stage =>
  async (owner, admin) => {
    const { about } = await ended(noun)(owner, admin);
    const path = `/${noun}s/${running[noun]}/runs/${about.run_id}/checkpoints?session_id=${about.session_id}`;
    const { checkpoints } = await done(owner.get(path));
    return { about: { ...about, message_index: String(checkpoints.at(-1).message_index) } };
  };

const aFailedRun: Stage = async (owner) => {
  await run(owner, "agent", { message: FAILING });
  return { about: {} };
};

/** A thread of AG-UI is a session. */
const aThread =
  (noun: Noun): Stage =>
  async (owner) => {
    const { about, session_id } = await run(owner, noun, { message: QUESTION });
    return { about: { [`${noun}_id`]: String(about[`${noun}_id`]) }, body: { threadId: session_id } };
  };

/** For a list: what it shows is there, and its request does not name it. */
const listed =
  (made: Stage): Stage =>
  async (owner, admin) => {
    await made(owner, admin);
    return { about: {} };
  };

/** A run that goes on for a while yet. */
const live =
  (noun: Noun, ms: number) =>
  async (admin: Client): Promise<Staged & { readonly run_id: string; readonly session_id: string }> => {
    const message = `[[sleep:${ms}]] slowly`;
    const { about, run_id, session_id } = await run(admin, noun, { message, background: "true" });
    return { about: { ...about, task_id: run_id }, run_id, session_id };
  };

/** The same, cancelled while it is followed: a workflow would wait for a person at its end. */
const soonCancelled =
  (noun: Noun): Stage =>
  async (admin) => {
    const { about, run_id, session_id } = await live(noun, 500)(admin);
    const cancel = () =>
      admin.post(`/${noun}s/${running[noun]}/runs/${run_id}/cancel?session_id=${session_id}`);
    // Its outcome is in what the follower receives.
    setTimeout(() => void cancel().catch(() => undefined), 700);
    return { about, isBrief: true };
  };

/** The body with which the older dialect asks for a task. */
const enveloped =
  (noun: Noun): Stage =>
  async (admin) => {
    const { about, run_id, session_id } = await paused(admin, noun);
    return { about, body: { jsonrpc: "2.0", id: "1", params: { id: run_id, contextId: session_id } } };
  };

/** That of a paused run. */
const anApproval: Stage = async (owner) => {
  const message = '[[tool:close_account {"account":"4711"}]]';
  const { started } = await run(owner, "agent", { message }, "account-desk");
  return { about: { approval_id: started.tools[0].approval_id } };
};
const resolved: Stage = async (owner, admin) => ({ ...(await anApproval(owner, admin)), asAdmin: true });
const removedApproval: Stage = async (owner, admin) => {
  const { about } = await anApproval(owner, admin);
  await done(admin.post(`/approvals/${about.approval_id}/resolve`, { json: { status: "rejected" } }));
  return { about, asAdmin: true };
};

async function failedJob(admin: Client): Promise<string> {
  const { run_id } = await run(admin, "agent", { message: FAILING, background: "true" });
  const job = () => done(admin.get(`/queue/jobs/${run_id}`));
  await until(job, ({ status }) => status === "failed");
  return run_id;
}

const aFailedJob: Stage = async (admin) => ({ about: { job_id: await failedJob(admin) } });

const manyFailedJobs: Stage = async (admin) => {
  await failedJob(admin);
  return { about: {}, body: { force: true, dry_run: false } };
};

const manyLiveJobs: Stage = async (admin) => {
  await live("agent", 2_000)(admin);
  return { about: {}, body: { status: ["queued", "running"], dry_run: false } };
};

const aSession: Stage = async (owner) => {
  const { session_id } = await run(owner, "agent", { message: QUESTION });
  return { about: { session_id } };
};

const aLongSession: Stage = async (owner) => {
  const { about, session_id } = await run(owner, "agent", { message: QUESTION });
  for (const message of ["To which address?", "When does it arrive?", "Thank you."]) {
    await run(owner, "agent", { message, session_id });
  }
  return { about };
};

/** A run that the metrics of its day count. */
const metered: Stage = async (owner) => {
  await run(owner, "agent", { message: QUESTION });
  await done(owner.post("/metrics/refresh"));
  return { about: {} };
};

const aNamedSession: Stage = async (owner) => {
  await done(owner.post("/sessions?type=agent", { json: exampleBody("createSession") }));
  return { about: {} };
};

const aMedium: Stage = async (owner) => {
  const message = '[[tool:draw_badge {"colour":"#00aa55"}]]';
  const { started, session_id } = await run(owner, "agent", { message });
  const key: string = started.images[0].media_reference.storage_key;
  return { about: { session_id, key } };
};

const aTrace: Stage = async (owner) => {
  const { run_id } = await run(owner, "agent", { message: QUESTION });
  return { about: { trace_id: traceIdOf(run_id) } };
};

/** A stored component: a draft, which only its owner sees, or one whose first version is live. */
async function stored(admin: Client, noun: Noun, stage = "draft"): Promise<string> {
  const component_id = fresh("returns-desk");
  const kind = `${noun[0]?.toUpperCase()}${noun.slice(1)}`;
  const json = { ...exampleBody(`create${kind}`), component_id, stage };
  await done(admin.post(`/${noun}s`, { json }));
  return component_id;
}

const ofKind =
  (noun: Noun): Stage =>
  async (admin) => ({ about: { [`${noun}_id`]: await stored(admin, noun) } });

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
    const component_id = await stored(admin, "agent", stage);
    const json = { ...exampleBody("createConfigVersion"), stage };
    await done(admin.post(`/components/${component_id}/configs`, { json }));
    return { about: { component_id, version: asked } };
  };

async function schedule(admin: Client): Promise<string> {
  const json = { ...exampleBody("createSchedule"), name: fresh("Monday report") };
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
    const { id } = await done(
      admin.post("/knowledge/content", { form: { name: fresh("returns.txt"), ...form } }),
    );
    const status = async () => (await done(admin.get(`/knowledge/content/${id}/status`))).status;
    await until(status, (one) => one !== "processing");
    return { about: { content_id: id } };
  };

const aContent = content({
  text_content: "Goods are taken back within 30 days.",
  metadata: '{"language":"en"}',
});

const CASES = "input\nWhere is my order?\n";
const casesForm = (): FormData => {
  const form = new FormData();
  form.append("name", "Questions of customers");
  form.append("file", new File([CASES], "cases.csv"));
  return form;
};
const aDataset: Stage = async (admin) => {
  const { id } = await done(admin.post("/eval-datasets", { form: casesForm() }));
  return { about: { dataset_id: id } };
};

const evalOf = async (owner: Client): Promise<string> =>
  (await done(owner.post("/eval-runs", { json: exampleBody("createEval") }))).id;
const anEval: Stage = async (admin) => ({ about: { eval_run_id: await evalOf(admin) } });
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
  ...(await aSource(admin, admin)),
  body: { config_id: SOURCE_ID, path: SOURCE_FILE },
});

const aMemory: Stage = async (admin) => {
  const { memory_id } = await done(admin.post("/memories", { json: exampleBody("createMemory") }));
  return { about: { memory_id } };
};

const nameOf = async (owner: Client): Promise<string> => (await done(owner.get("/me"))).id;

const aLearning: Stage = async (owner) => {
  const json = { ...exampleBody("createLearning"), user_id: await nameOf(owner) };
  const { learning_id } = await done(owner.post("/learnings", { json }));
  return { about: { learning_id } };
};

const aLearningUser: Stage = async (owner, admin) => {
  await aLearning(owner, admin);
  return { about: { user_id: await nameOf(owner) } };
};

/** An account that has minted another one. */
const aMintingAccount: Stage = async (owner) => {
  const mint = (name: string, headers?: Record<string, string>) =>
    done(
      owner.post("/service-accounts", {
        json: {
          name: fresh(name),
          scopes: [{ scope: "service_accounts:write" }],
          allow_privileged_scopes: true,
        },
        ...(headers && { headers }),
      }),
    );
  const { id, token } = await mint("minting");
  await mint("minted", { authorization: `Bearer ${token}` });
  return { about: { account_id: id } };
};

const anAccount: Stage = async (owner) => {
  const { id } = await done(
    owner.post("/service-accounts", {
      json: { ...exampleBody("mintServiceAccount"), name: fresh("report") },
    }),
  );
  return { about: { account_id: id } };
};

const anEndpoint: Stage = async (admin) => {
  const { id } = await done(admin.post("/webhook-endpoints", { json: exampleBody("createWebhookEndpoint") }));
  return { about: { endpoint_id: id } };
};
/** Endpoints of one owner are limited, so what only looks at one, or changes it, takes the same one again. */
const endpoints = new WeakMap<Client, Promise<Staged>>();
const someEndpoint: Stage = (admin) => {
  const known = endpoints.get(admin) ?? anEndpoint(admin, admin);
  endpoints.set(admin, known);
  return known;
};
/** A delivery that is not being sent at the moment: a try counts from its beginning, and is recorded at its end. */
const aDelivery: Stage = async (admin) => {
  const { about } = await someEndpoint(admin, admin);
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
    const message = { messageId: fresh("m"), role: "ROLE_USER", parts };
    const id = noun === "agent" ? "front-desk" : running[noun];
    const path = `/a2a/${noun}s/${id}/v1/message:send?A2A-Version=1.0`;
    const { task } = await done(admin.post(path, { json: { message } }));
    return { about: { [`${noun}_id`]: id, task_id: task.id } };
  };

const aTaskOf =
  (noun: Noun): Stage =>
  async (owner, admin) => {
    const { about } = await aTask(noun)(owner, admin);
    return { about: { [`${noun}_id`]: String(about[`${noun}_id`]) } };
  };

/** A place where a client is notified of a task. */
const aPushConfig =
  (noun: Noun): Stage =>
  async (owner, admin) => {
    const { about } = await aTask(noun)(owner, admin);
    const task = `/a2a/${noun}s/${about[`${noun}_id`]}/v1/tasks/${about.task_id}`;
    const json = exampleBody("createAgentPushConfig");
    const path = `${task}/pushNotificationConfigs?A2A-Version=1.0`;
    const { id } = await done(owner.post(path, { json }));
    return { about: { ...about, config_id: id } };
  };

/** The stages of the routes that there are once for each kind. */
const forKind = (noun: Noun) => {
  const kind = `${noun[0]?.toUpperCase()}${noun.slice(1)}`;
  return {
    [`list${kind}Runs`]: ended(noun),
    [`run${kind}Agui`]: aThread(noun),
    [`update${kind}`]: ofKind(noun),
    [`remove${kind}`]: ofKind(noun),
    [`list${kind}Tasks`]: aTaskOf(noun),
    [`follow${kind}Task`]: soonCancelled(noun),
    [`subscribeTo${kind}Task`]: soonCancelled(noun),
    [`read${kind}Task`]: enveloped(noun),
    [`stop${kind}Task`]: enveloped(noun),
  };
};

/** What an operation is about, where its path does not say it. Made anew for each request: most of it is used up by one. */
const stages: Readonly<Record<string, Stage>> = {
  ...forKind("agent"),
  ...forKind("team"),
  ...forKind("workflow"),
  continueAgentRun,
  continueTeamRun,
  continueWorkflowRun,
  listRuns: aFailedRun,
  compactAgentSession: aLongSession,
  getMetrics: metered,
  refreshMetrics: metered,
  resolveApproval: resolved,
  removeApproval: removedApproval,
  listApprovals: listed(anApproval),
  countApprovals: listed(anApproval),
  requeueJobs: manyFailedJobs,
  cancelJobs: manyLiveJobs,
  listJobs: listed(aFailedJob),
  listSessions: aNamedSession,
  removeSessions: async (owner, admin) => {
    const { about } = await aSession(owner, admin);
    return { about: {}, body: { session_ids: [about.session_id] } };
  },
  restoreComponent: anArchivedComponent,
  listComponents: listed(aComponent),
  setCurrentConfigVersion: versions("published", "1"),
  getConfigVersion: versions("draft", "2"),
  checkConfigVersion: versions("draft", "2"),
  listSchedules: listed(aSchedule),
  getScheduleRun: aScheduleRun,
  listScheduleRuns: aScheduleRun,
  listEvals: listed(anEval),
  removeEvals: async (owner) => ({ about: {}, body: { eval_run_ids: [await evalOf(owner)] } }),
  compareEvals: twoEvals,
  listDatasets: listed(aDataset),
  createDataset: async () => ({ about: {}, body: { file: [CASES] } }),
  createDatasetVersion: async (owner, admin) => ({
    ...(await aDataset(owner, admin)),
    body: { file: [CASES] },
  }),
  listContent: listed(aContent),
  searchKnowledge: listed(aContent),
  refreshContent: content({ url: "https://example.com/returns" }),
  listKnowledgeSources: aSource,
  listSourceFiles: aSource,
  addRemoteContent: fromSource,
  listServiceAccounts: listed(anAccount),
  revokeServiceAccount: aMintingAccount,
  listMemories: listed(aMemory),
  listMemoryTopics: listed(aMemory),
  listUserMemoryStats: listed(aMemory),
  optimizeMemories: listed(aMemory),
  removeMemories: async (owner, admin) => {
    const { about } = await aMemory(owner, admin);
    return { about: {}, body: { memory_ids: [about.memory_id] } };
  },
  listLearnings: listed(aLearning),
  listLearningUsers: listed(aLearning),
  listTraces: listed(aTrace),
  searchTraces: listed(aTrace),
  listTraceSessionStats: listed(aTrace),
  removeWebhookEndpoint: anEndpoint,
  listWebhookEndpoints: listed(anEndpoint),
  listWebhookDeliveries: listed(aDelivery),
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

const NOUNS = ["agent", "team", "workflow"] as const;

/** How a thing is made that a variable of a path names; of a kind where there are several. */
const things: Readonly<Record<string, (noun: Noun) => Stage>> = {
  run_id: ended,
  message_index: aCheckpoint,
  session_id: ended,
  key: () => aMedium,
  approval_id: () => anApproval,
  job_id: () => aFailedJob,
  schedule_id: () => aSchedule,
  content_id: () => aContent,
  component_id: () => aComponent,
  version: () => versions("draft", "2"),
  account_id: () => anAccount,
  eval_run_id: () => anEval,
  dataset_id: () => aDataset,
  memory_id: () => aMemory,
  learning_id: () => aLearning,
  user_id: () => aLearningUser,
  trace_id: () => aTrace,
  endpoint_id: () => someEndpoint,
  delivery_id: () => aDelivery,
  task_id: aTask,
  config_id: aPushConfig,
};

/** What every deployment of the tests has. */
const present: Thing = {
  agent_id: running.agent,
  team_id: running.team,
  workflow_id: running.workflow,
  db_id: "main",
};

/**
 * Makes what a request to an operation needs to succeed: a stage of its own, or the thing that the last variable of its path
 * names.
 */
export async function stage(
  { operationId, path }: { readonly operationId: string; readonly path: string },
  owner: Client,
  admin: Client,
): Promise<Staged> {
  const noun = NOUNS.find((one) => path.includes(`{${one}_id}`)) ?? "agent";
  const make = variablesOf(path)
    .flatMap((name) => things[name] ?? [])
    .at(-1);
  const staged = await (stages[operationId] ?? make?.(noun))?.(owner, admin);
  const known = variablesOf(path).flatMap((name) => (name in present ? [[name, present[name]]] : []));
  return { ...staged, about: { ...Object.fromEntries(known), ...staged?.about } };
}

export const variablesOf = (path: string): string[] =>
  [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = ""]) => name);

/** Whether a path names something that users own. */
export const namesAThing = (path: string): boolean => variablesOf(path).some((name) => name in things);
