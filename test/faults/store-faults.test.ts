import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AwsCall } from "../../local/aws-endpoint.ts";
import { families } from "../../shared/routes/index.ts";
import type { AcceptedRun, RunOutput } from "../../shared/schemas/run.ts";
import { jobKey } from "../../shared/stores/jobs/job-keys.ts";
import type { Item } from "../../shared/stores/transact.ts";
import { isWrite } from "../support/call-kind.ts";
import { type Client, clientOf, framesOf } from "../support/client.ts";
import { type Answered, type Failing, faultLab, taken } from "../support/fault-lab.ts";
import { startPlatform, type TestPlatform } from "../support/platform.ts";
import { faultsIn, type Stored, type StoreView, viewStores } from "../support/stored.ts";

let platform: TestPlatform;
let maria: Client;
let admin: Client;
let stores: StoreView;
let lab: ReturnType<typeof faultLab>;
/** A run that ended well, in a session of its own. */
let past: AcceptedRun;
beforeAll(async () => {
  platform = await startPlatform();
  maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run"]));
  admin = clientOf(platform.url, platform.adminToken);
  stores = viewStores(platform);
  lab = faultLab(platform);
  past = await maria.submit("once upon a time");
  await maria.settled(past);
  await failedRun();
});
afterAll(async () => {
  stores?.close();
  await platform?.stop();
});

const runs = "/agents/assistant/runs";
const endedRun = async (message: string): Promise<AcceptedRun> => {
  const run = await maria.submit(message);
  await maria.settled(run);
  return run;
};
const failedRun = () => endedRun("[[fail:boom]]");
/** A run whose message was lost: it waits until somebody sends it again. */
const waitingRun = async (): Promise<AcceptedRun> => {
  const answer = await lab.fail("sqs SendMessage", "refused", () =>
    start(maria, { stream: "false", background: "true" }),
  );
  if (answer.status !== 202) throw new Error("the run was not accepted");
  return answer.json;
};
const pausedRun = async (): Promise<RunOutput> => {
  const message = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';
  const form = { message, stream: "false", background: "true" };
  const { json } = await maria.post("/agents/refund-desk/runs", { form });
  await settled();
  return (await maria.get(`/agents/refund-desk/runs/${json.run_id}?session_id=${json.session_id}`)).json;
};
const deskScopes = ["agents:read", "agents:run", "approvals:read"];
/** A run that waits for an approval, in the foreground. */
const undecidedRun = async (): Promise<RunOutput> => {
  const client = clientOf(platform.url, platform.token("maria", deskScopes));
  const form = { message: '[[tool:close_account {"account":"K-7"}]]', stream: "false" };
  return (await client.post("/agents/account-desk/runs", { form })).json;
};
const approvalPath = (run: RunOutput, rest = "") => `/approvals/${run.tools?.[0]?.approval_id}${rest}`;
const continued = ({ run_id, session_id }: AcceptedRun, agent: string, client: Client, form = {}) =>
  taken(
    client.send("POST", `/agents/${agent}/runs/${run_id}/continue`, {
      form: { session_id, stream: "false", ...form },
    }),
  );
const confirmed = (run: AcceptedRun) =>
  JSON.stringify(
    ("tools" in run ? ((run as RunOutput).tools ?? []) : []).map((call) => ({ ...call, confirmed: true })),
  );
/** A workflow that waits for consent, in the foreground. */
const pausedWorkflow = async (): Promise<AcceptedRun> =>
  (await admin.post("/workflows/publish-report/runs", { form: { message: "lights", stream: "false" } })).json;
const continuedWorkflow = ({ run_id, session_id }: AcceptedRun) => {
  const step_requirements = JSON.stringify([{ step_id: "publish", confirmed: true }]);
  const form = { session_id, stream: "false", step_requirements };
  return taken(admin.send("POST", `/workflows/publish-report/runs/${run_id}/continue`, { form }));
};
const resumed = ({ run_id, session_id }: AcceptedRun) =>
  taken(maria.send("POST", `${runs}/${run_id}/resume`, { form: { session_id } }));
const cancelled = ({ run_id, session_id }: AcceptedRun, agent: string) =>
  taken(maria.send("POST", `/agents/${agent}/runs/${run_id}/cancel?session_id=${session_id}`));
/** How long a reading of the queue's depth serves. */
const DEPTH_SERVES_MS = 1_000;
/** The depth is read when the last reading has grown old; then a request makes every call that it can make. */
const oldDepth = async (kind: string): Promise<AcceptedRun> => {
  if (kind === "" || kind.endsWith("COUNT")) await pause(DEPTH_SERVES_MS + 20);
  return past;
};
const start = (client: Client, form: Record<string, string>, headers = {}) =>
  taken(client.send("POST", runs, { form: { message: "go on", ...form }, headers }));

type Scenario = {
  readonly what: string;
  /** Puts in place what one request needs; each fault gets its own. */
  readonly prepare?: (kind: string) => Promise<AcceptedRun>;
  readonly send: (prepared: AcceptedRun) => Promise<Answered>;
  readonly status: number;
  /** How the answer may look for these kinds of calls; a neutral 503 for all others. */
  readonly except?: readonly Exception[];
};
type Exception = { readonly kind: RegExp; readonly check: (answer: Answered) => void };

const get = (client: () => Client, path: (run: AcceptedRun) => string) => (run: AcceptedRun) =>
  taken(client().send("GET", path(run)));
const pathOf = ({ run_id, session_id }: AcceptedRun) => `${runs}/${run_id}?session_id=${session_id}`;
const existing = async () => past;
const asMaria = () => maria;
const asAdmin = () => admin;

/** A session of maria's that no run was in yet. */
const openSession = async (): Promise<AcceptedRun> => {
  const { json } = await admin.post("/sessions", { json: { user_id: "maria" } });
  return { run_id: "", session_id: json.session_id, status: "PENDING" };
};
/** A content that is processed, under the name of a run. */
const someContent = async (): Promise<AcceptedRun> => {
  const form = { text_content: `a text ${crypto.randomUUID()}` };
  const { json } = await admin.post("/knowledge/content", { form });
  const status = async () => (await admin.get(`/knowledge/content/${json.id}/status`)).json.status;
  while ((await status()) === "processing") await pause(50);
  return { run_id: json.id, session_id: "", status: "COMPLETED" };
};
const contentPath = ({ run_id }: AcceptedRun) => `/knowledge/content/${run_id}`;
const toSession = (method: string, json?: object, below = "") => {
  const sent = json && { json };
  return ({ session_id }: AcceptedRun) => taken(admin.send(method, `/sessions/${session_id}${below}`, sent));
};

const component = (fields: object) =>
  taken(
    admin.send("POST", "/components", { json: { name: "c", component_id: crypto.randomUUID(), ...fields } }),
  );
/** A new component, whose id stands where a run's would. */
const kept = async (fields: object): Promise<AcceptedRun> => {
  const answer = await component(fields);
  if (answer.status !== 201) throw new Error("the component was not created");
  return { ...past, run_id: answer.json.component_id };
};
const stored = () => kept({ component_type: "agent" });
const live = () => kept({ component_type: "agent", stage: "published" });
const withMember = {
  links: [{ link_kind: "member", link_key: "m", child_component_id: "elsewhere", child_version: 1 }],
};
const toComponent =
  (method: string, json?: object, below = "", kind = "components") =>
  ({ run_id }: AcceptedRun) =>
    taken(admin.send(method, `/${kind}/${run_id}${below}`, json && { json }));
/** The routes of one kind of runnable that change components. */
const ofKind = (kind: string): Record<string, readonly Scenario[]> => {
  const component_type = kind.toLowerCase();
  const path = `${component_type}s`;
  const prepare = () => kept({ component_type });
  const named = () => ({ json: { name: "c", component_id: crypto.randomUUID() } });
  return {
    [`create${kind}`]: [
      { what: "one", send: () => taken(admin.send("POST", `/${path}`, named())), status: 201 },
    ],
    [`update${kind}`]: [
      { what: "one", prepare, send: toComponent("PATCH", { name: "n" }, "", path), status: 200 },
    ],
    [`remove${kind}`]: [
      { what: "one", prepare, send: toComponent("DELETE", undefined, "", path), status: 204 },
    ],
  };
};

/** Accepted, although the message could not be sent. */
const accepted = (status: number): Exception => ({
  kind: /^sqs SendMessage/,
  check: (answer) => expect(answer.status).toBe(status),
});
/** The message may have arrived although its answer was lost; then the schedule is run, and that is what is answered. */
const sentAfterAll: Exception = {
  kind: /^sqs SendMessage/,
  check: (answer) => expect([200, 503]).toContain(answer.status),
};
const toldInStream: Exception = {
  kind: /^(Query session|TransactWriteItems Update session)/,
  check: (answer) => {
    expect(answer.status).toBe(200);
    const events = framesOf(answer.text).map(({ event }) => event);
    expect(events.at(-1)).toBe("RunError");
    expect(events).not.toContain("RunCompleted");
  },
};

/** A stream has begun before its events are read. */
const brokenStream: Exception = {
  kind: /^Query run/,
  check: (answer) => expect(answer.text).not.toContain("RunCompleted"),
};
/** A database that is to be migrated up. */
const atFirstVersion = async (): Promise<AcceptedRun> => {
  for (let status = 0; status !== 200; ) {
    ({ status } = await admin.post("/databases/main/migrate?target_version=1"));
  }
  return past;
};
/** The sweeper sends the message, or it was sent after all. */
const startedLater: Exception = {
  kind: /^sqs SendMessage/,
  check: (answer) => expect([200, 202]).toContain(answer.status),
};

const createRun: readonly Scenario[] = [
  { what: "waiting, new session", send: () => start(maria, { stream: "false" }), status: 200 },
  {
    what: "waiting, known session",
    send: ({ session_id }) => start(maria, { stream: "false", session_id }),
    status: 200,
  },
  {
    what: "waiting, session without a component",
    prepare: openSession,
    send: ({ session_id }) => start(maria, { stream: "false", session_id }),
    status: 200,
  },
  {
    what: "waiting, behind the HTTP API",
    send: () => start(clientOf(platform.apiUrl, platform.adminToken), { stream: "false" }),
    status: 200,
  },
  {
    what: "streamed, known session",
    send: ({ session_id }) => start(maria, { session_id }),
    status: 200,
    except: [toldInStream],
  },
  {
    what: "background",
    prepare: oldDepth,
    send: () => start(maria, { stream: "false", background: "true" }),
    status: 202,
    except: [accepted(202)],
  },
  {
    what: "background, known session, with a key",
    prepare: oldDepth,
    send: ({ session_id }) =>
      start(
        maria,
        { stream: "false", background: "true", session_id },
        { "idempotency-key": crypto.randomUUID() },
      ),
    status: 202,
    except: [accepted(202)],
  },
  {
    what: "background, alone in a known session",
    prepare: async (kind) => {
      const run = await failedRun();
      await oldDepth(kind);
      return run;
    },
    send: ({ session_id }) =>
      start(maria, { stream: "false", background: "true", session_id, session_policy: "reject" }),
    status: 202,
    except: [accepted(202)],
  },
];

/** A schedule of maria's, whose id stands where a run's would. */
const schedule = async (): Promise<AcceptedRun> => ({
  ...past,
  run_id: (await admin.post("/schedules", { json: aSchedule() })).json.id,
});
const stoppedSchedule = async (): Promise<AcceptedRun> => {
  const prepared = await schedule();
  await admin.post(`/schedules/${prepared.run_id}/disable`);
  return prepared;
};
/** One of a call that reaches no store. */
const readingSchedule = async (): Promise<AcceptedRun> => {
  const json = { ...aSchedule(), method: "GET", endpoint: "/agents" };
  return { ...past, run_id: (await admin.post("/schedules", { json })).json.id };
};
/** It was triggered: the id of its attempt stands where a session's would. */
const triggered = async (): Promise<AcceptedRun> => {
  const prepared = await readingSchedule();
  const { json } = await admin.post(`/schedules/${prepared.run_id}/trigger`);
  return { ...prepared, session_id: json.id };
};
let schedules = 0;
const aSchedule = () => {
  schedules += 1;
  return { name: `schedule ${schedules}`, cron_expr: "0 9 * * *", endpoint: "/agents/assistant/runs" };
};
const toSchedule = (method: string, json?: object, below = "") => {
  const sent = json && { json };
  return ({ run_id }: AcceptedRun) => taken(admin.send(method, `/schedules/${run_id}${below}`, sent));
};
/** What the scheduler has too much is taken away later, and so are the runs of what was removed. */
const surplusLeft = (status: number): Exception => ({
  kind: /^(scheduler DeleteSchedule|Query schedule|BatchWriteItem)/,
  check: (answer) => expect(answer.status).toBe(status),
});

/** A memory of mira's, whose id stands where a run's would. */
const memory = async (): Promise<AcceptedRun> => {
  const json = { memory: "Prefers metric units", topics: ["units"], user_id: "mira" };
  return { ...past, run_id: (await admin.post("/memories", { json })).json.memory_id };
};
/** Two memories of a user's own, so that there is something to merge; the user stands where a session would. */
const twoMemories = async (): Promise<AcceptedRun> => {
  const user_id = crypto.randomUUID();
  for (const text of ["[[answer:short]] and a long text beside it", "another text that is not short"]) {
    await admin.post("/memories", { json: { memory: text, user_id } });
  }
  return { ...past, session_id: user_id };
};
const toMemory = (method: string, json?: object) => {
  const sent = json && { json };
  return ({ run_id }: AcceptedRun) => taken(admin.send(method, `/memories/${run_id}`, sent));
};
/** A learning about a user whom no other one is about. */
const learning = async (): Promise<AcceptedRun> => {
  const user_id = crypto.randomUUID();
  const json = { learning_type: "note", content: { a: 1 }, user_id };
  const { learning_id } = (await admin.post("/learnings", { json })).json;
  return { ...past, run_id: learning_id, session_id: user_id };
};
const toLearning = (method: string, json?: object) => {
  const sent = json && { json };
  return ({ run_id }: AcceptedRun) => taken(admin.send(method, `/learnings/${run_id}`, sent));
};

/** Every operation; those that reach no store say so. */
const scenarios: Readonly<Record<string, readonly Scenario[] | "reaches no store" | `as ${string}`>> = {
  getRoot: "reaches no store",
  getHealth: "reaches no store",
  getInfo: "reaches no store",
  getOpenApi: "reaches no store",
  getDocs: "reaches no store",
  // The interfaces are off here; what faults do to them is in test/webhooks.
  verifyWhatsappWebhook: "reaches no store",
  receiveWhatsappWebhook: "reaches no store",
  getWhatsappStatus: "reaches no store",
  receiveTelegramWebhook: "reaches no store",
  getTelegramStatus: "reaches no store",
  getConfig: "reaches no store",
  listModels: "reaches no store",
  listRegistry: "reaches no store",
  listAgents: [{ what: "all", prepare: live, send: get(asAdmin, () => "/agents"), status: 200 }],
  getAgent: [
    {
      what: "a stored one",
      prepare: () => kept({ component_type: "agent" }),
      send: toComponent("GET", undefined, "", "agents"),
      status: 200,
    },
  ],
  listTeams: [{ what: "all", prepare: existing, send: get(asAdmin, () => "/teams"), status: 200 }],
  getTeam: [
    {
      what: "a stored one",
      prepare: () => kept({ component_type: "team" }),
      send: toComponent("GET", undefined, "", "teams"),
      status: 200,
    },
  ],
  listWorkflows: [{ what: "all", prepare: existing, send: get(asAdmin, () => "/workflows"), status: 200 }],
  getWorkflow: [
    {
      what: "a stored one",
      prepare: () => kept({ component_type: "workflow" }),
      send: toComponent("GET", undefined, "", "workflows"),
      status: 200,
    },
  ],
  createAgentRun: createRun,
  cancelAgentRun: [
    { what: "a waiting run", prepare: waitingRun, send: (run) => cancelled(run, "assistant"), status: 200 },
    { what: "a paused run", prepare: pausedRun, send: (run) => cancelled(run, "refund-desk"), status: 200 },
  ],
  continueAgentRun: [
    {
      what: "a paused run, by its own answers",
      prepare: undecidedRun,
      send: (run) => continued(run, "account-desk", admin, { tools: confirmed(run) }),
      status: 200,
    },
    {
      what: "a queued run that paused",
      prepare: pausedRun,
      send: (run) => continued(run, "refund-desk", maria, { background: "true", tools: confirmed(run) }),
      status: 202,
      except: [accepted(202)],
    },
    {
      what: "a completed run, as a new one",
      send: (run) => continued(run, "assistant", maria, { input: "and then?" }),
      status: 200,
    },
  ],
  resumeAgentRun: [{ what: "a run that has ended", send: resumed, status: 200, except: [brokenStream] }],
  listAgentCheckpoints: [
    {
      what: "one run",
      send: get(asMaria, (run) => `${runs}/${run.run_id}/checkpoints?session_id=${run.session_id}`),
      status: 200,
    },
  ],
  getAgentCheckpoint: [
    {
      what: "one place",
      send: get(asMaria, (run) => `${runs}/${run.run_id}/checkpoints/1?session_id=${run.session_id}`),
      status: 200,
    },
  ],
  forkAgentSession: [
    {
      what: "one session",
      send: ({ session_id }) => taken(maria.send("POST", `/agents/assistant/sessions/${session_id}/fork`)),
      prepare: () => endedRun("once more"),
      status: 200,
    },
  ],
  // Teams and workflows reach the store by the same code: what differs is what is executed.
  createTeamRun: "as createAgentRun",
  continueTeamRun: "as continueAgentRun",
  resumeTeamRun: "as resumeAgentRun",
  cancelTeamRun: "as cancelAgentRun",
  getTeamRun: "as getAgentRun",
  listTeamRuns: "as listAgentRuns",
  listTeamCheckpoints: "as listAgentCheckpoints",
  getTeamCheckpoint: "as getAgentCheckpoint",
  forkTeamSession: "as forkAgentSession",
  createWorkflowRun: "as createAgentRun",
  continueWorkflowRun: [
    {
      what: "a paused run",
      prepare: pausedWorkflow,
      send: continuedWorkflow,
      status: 200,
    },
  ],
  resumeWorkflowRun: "as resumeAgentRun",
  cancelWorkflowRun: "as cancelAgentRun",
  getWorkflowRun: "as getAgentRun",
  listWorkflowRuns: "as listAgentRuns",
  listApprovals: [
    { what: "all of them", send: get(asAdmin, () => "/approvals"), status: 200 },
    { what: "one user's", send: get(asAdmin, () => "/approvals?user_id=maria"), status: 200 },
  ],
  countApprovals: [{ what: "the pending ones", send: get(asAdmin, () => "/approvals/count"), status: 200 }],
  getApproval: [
    {
      what: "one",
      prepare: undecidedRun,
      send: get(asAdmin, (run) => approvalPath(run as RunOutput)),
      status: 200,
    },
  ],
  getApprovalStatus: [
    {
      what: "one",
      prepare: undecidedRun,
      send: get(asAdmin, (run) => approvalPath(run as RunOutput, "/status")),
      status: 200,
    },
  ],
  resolveApproval: [
    {
      what: "one",
      prepare: undecidedRun,
      send: (run) =>
        taken(
          admin.send("POST", approvalPath(run as RunOutput, "/resolve"), { json: { status: "approved" } }),
        ),
      status: 200,
    },
  ],
  removeApproval: [
    {
      what: "one",
      prepare: undecidedRun,
      send: (run) => taken(admin.send("DELETE", approvalPath(run as RunOutput))),
      status: 204,
    },
  ],
  getAgentRun: [
    { what: "its owner", send: get(asMaria, pathOf), status: 200 },
    { what: "an admin", send: get(asAdmin, pathOf), status: 200 },
  ],
  listAgentRuns: [
    { what: "one session", send: get(asMaria, (run) => `${runs}?session_id=${run.session_id}`), status: 200 },
  ],
  listJobs: [
    {
      what: "two statuses",
      send: get(asAdmin, () => "/queue/jobs?status=failed&status=queued"),
      status: 200,
    },
    { what: "sorted", send: get(asAdmin, () => "/queue/jobs?status=failed&sort_by=user_id"), status: 200 },
  ],
  getJob: [{ what: "one job", send: get(asAdmin, (run) => `/queue/jobs/${run.run_id}`), status: 200 }],
  getQueueStats: [{ what: "all counts", send: get(asAdmin, () => "/queue/stats"), status: 200 }],
  requeueJob: [
    {
      what: "a failed job",
      prepare: failedRun,
      send: ({ run_id }) => taken(admin.send("POST", `/queue/jobs/${run_id}/requeue?force=true`)),
      status: 200,
      except: [accepted(200)],
    },
  ],
  getDatabase: [{ what: "the one", send: get(asAdmin, () => "/databases/main"), status: 200 }],
  migrateDatabase: [
    {
      what: "up",
      prepare: atFirstVersion,
      send: () => taken(admin.send("POST", "/databases/main/migrate")),
      status: 200,
      except: [startedLater],
    },
  ],
  migrateAllDatabases: [
    {
      what: "up",
      prepare: atFirstVersion,
      send: () => taken(admin.send("POST", "/databases/all/migrate")),
      status: 200,
      except: [startedLater],
    },
  ],
  triggerSchedule: [
    {
      what: "a call that is no run",
      prepare: readingSchedule,
      send: ({ run_id }) => taken(admin.send("POST", `/schedules/${run_id}/trigger`)),
      status: 200,
      except: [sentAfterAll],
    },
  ],
  listScheduleRuns: [
    {
      what: "one schedule's",
      prepare: triggered,
      send: get(asAdmin, ({ run_id }) => `/schedules/${run_id}/runs`),
      status: 200,
    },
  ],
  getScheduleRun: [
    {
      what: "one",
      prepare: triggered,
      send: get(asAdmin, ({ run_id, session_id }) => `/schedules/${run_id}/runs/${session_id}`),
      status: 200,
    },
  ],
  mintServiceAccount: [{ what: "a new name", send: () => mint(), status: 201 }],
  listServiceAccounts: [{ what: "all", send: get(asAdmin, () => "/service-accounts"), status: 200 }],
  revokeServiceAccount: [
    {
      what: "a live account",
      prepare: () => account(),
      send: ({ run_id }) => taken(admin.send("DELETE", `/service-accounts/${run_id}`)),
      status: 204,
    },
  ],
  requeueJobs: [
    {
      what: "a failed job of many",
      prepare: failedRun,
      send: () =>
        taken(admin.send("POST", "/queue/jobs/requeue", { json: { dry_run: false, force: true, limit: 1 } })),
      status: 200,
      except: [accepted(200)],
    },
  ],
  addContent: [
    {
      what: "a text",
      send: () =>
        taken(admin.send("POST", "/knowledge/content", { form: { text_content: crypto.randomUUID() } })),
      status: 202,
      except: [accepted(202)],
    },
  ],
  addRemoteContent: "as addContent",
  createUploadUrl: [
    {
      what: "a file",
      send: () => {
        const json = { filename: "large.txt", size: 5_000_000 };
        return taken(admin.send("POST", "/knowledge/content/upload-url", { json }));
      },
      status: 201,
    },
  ],
  listContent: [{ what: "the newest", send: get(asAdmin, () => "/knowledge/content"), status: 200 }],
  getContent: [{ what: "one", prepare: someContent, send: get(asAdmin, contentPath), status: 200 }],
  getContentStatus: [
    {
      what: "one",
      prepare: someContent,
      send: get(asAdmin, (one) => `${contentPath(one)}/status`),
      status: 200,
    },
  ],
  updateContent: [
    {
      what: "a name",
      prepare: someContent,
      send: (one) => taken(admin.send("PATCH", contentPath(one), { form: { name: crypto.randomUUID() } })),
      status: 200,
    },
  ],
  removeContent: [
    {
      what: "one",
      prepare: someContent,
      send: (one) => taken(admin.send("DELETE", contentPath(one))),
      status: 200,
      except: [accepted(200)],
    },
  ],
  removeAllContent: [
    {
      what: "one of a base",
      prepare: someContent,
      send: () => taken(admin.send("DELETE", "/knowledge/content")),
      status: 200,
      except: [accepted(200)],
    },
  ],
  getKnowledgeConfig: [{ what: "a base", send: get(asAdmin, () => "/knowledge/config"), status: 200 }],
  listKnowledgeSources: "reaches no store",
  // No bucket is a source here.
  listSourceFiles: "as listKnowledgeSources",
  searchKnowledge: [
    {
      what: "a base",
      prepare: someContent,
      send: () => taken(admin.send("POST", "/knowledge/search", { json: { query: "a text" } })),
      status: 200,
    },
  ],
  listSessions: [
    { what: "the newest", send: get(asAdmin, () => "/sessions"), status: 200 },
    { what: "sorted", send: get(asAdmin, () => "/sessions?sort_by=updated_at&limit=1"), status: 200 },
  ],
  createMemory: [
    {
      what: "one",
      send: () => taken(admin.send("POST", "/memories", { json: { memory: "x", user_id: "mira" } })),
      status: 200,
    },
  ],
  listMemories: [
    { what: "everybody's", prepare: memory, send: get(asAdmin, () => "/memories"), status: 200 },
    { what: "by topic", prepare: memory, send: get(asAdmin, () => "/memories?topics=units"), status: 200 },
  ],
  removeMemories: [
    {
      what: "one of many",
      prepare: memory,
      send: ({ run_id }) =>
        taken(admin.send("DELETE", "/memories", { json: { memory_ids: [run_id, "unknown"] } })),
      status: 204,
    },
  ],
  getMemory: [{ what: "one", prepare: memory, send: toMemory("GET"), status: 200 }],
  updateMemory: [
    {
      what: "one",
      prepare: memory,
      send: toMemory("PATCH", { memory: "new", user_id: "mira" }),
      status: 200,
    },
  ],
  removeMemory: [{ what: "one", prepare: memory, send: toMemory("DELETE"), status: 204 }],
  listMemoryTopics: [
    { what: "everybody's", prepare: memory, send: get(asAdmin, () => "/memory_topics"), status: 200 },
  ],
  listUserMemoryStats: [
    { what: "everybody's", prepare: memory, send: get(asAdmin, () => "/user_memory_stats"), status: 200 },
  ],
  optimizeMemories: [
    {
      what: "two",
      prepare: twoMemories,
      send: ({ session_id }) =>
        taken(admin.send("POST", "/optimize-memories", { json: { user_id: session_id } })),
      status: 200,
    },
  ],
  createLearning: [
    {
      what: "one",
      send: () => taken(admin.send("POST", "/learnings", { json: { learning_type: "note", content: {} } })),
      status: 201,
    },
  ],
  listLearnings: [
    { what: "everybody's", prepare: learning, send: get(asAdmin, () => "/learnings"), status: 200 },
  ],
  listLearningUsers: [
    { what: "all", prepare: learning, send: get(asAdmin, () => "/learnings/users"), status: 200 },
  ],
  removeUserLearnings: [
    {
      what: "one user's",
      prepare: learning,
      send: ({ session_id }) => taken(admin.send("DELETE", `/learnings/users/${session_id}`)),
      status: 204,
    },
  ],
  getLearning: [{ what: "one", prepare: learning, send: toLearning("GET"), status: 200 }],
  updateLearning: [
    { what: "one", prepare: learning, send: toLearning("PATCH", { content: { b: 2 } }), status: 200 },
  ],
  removeLearning: [{ what: "one", prepare: learning, send: toLearning("DELETE"), status: 204 }],
  createSession: [{ what: "a new one", send: () => taken(admin.send("POST", "/sessions")), status: 201 }],
  getSession: [{ what: "one session", send: toSession("GET"), status: 200 }],
  updateSession: [{ what: "its metadata", send: toSession("PATCH", { metadata: { a: 1 } }), status: 200 }],
  renameSession: [
    { what: "by a name", send: toSession("POST", { session_name: "n" }, "/rename"), status: 200 },
    { what: "by the model", send: toSession("POST", { autogenerate: true }, "/rename"), status: 200 },
  ],
  removeSession: [
    {
      what: "one session",
      prepare: openSession,
      send: toSession("DELETE"),
      status: 204,
      except: [accepted(204)],
    },
  ],
  removeSessions: [
    {
      what: "one of many",
      prepare: openSession,
      send: ({ session_id }) =>
        taken(
          admin.send("DELETE", "/sessions", {
            json: { session_ids: [session_id], session_types: ["agent"] },
          }),
        ),
      status: 204,
      except: [accepted(204)],
    },
  ],
  listComponents: [{ what: "one page", send: get(asAdmin, () => "/components"), status: 200 }],
  createComponent: [
    { what: "a team", send: () => component({ component_type: "team", ...withMember }), status: 201 },
  ],
  getComponent: [{ what: "one", prepare: stored, send: toComponent("GET"), status: 200 }],
  updateComponent: [
    { what: "its name", prepare: stored, send: toComponent("PATCH", { name: "n" }), status: 200 },
    {
      what: "its live version",
      prepare: live,
      send: toComponent("PATCH", { current_version: 1 }),
      status: 200,
    },
  ],
  removeComponent: [{ what: "one", prepare: stored, send: toComponent("DELETE"), status: 204 }],
  restoreComponent: [
    {
      what: "one",
      prepare: async () => {
        const made = await stored();
        await toComponent("DELETE")(made);
        return made;
      },
      send: toComponent("POST", undefined, "/restore"),
      status: 200,
    },
  ],
  listConfigVersions: [
    {
      what: "one component's",
      prepare: stored,
      send: toComponent("GET", undefined, "/configs"),
      status: 200,
    },
  ],
  createConfigVersion: [
    {
      what: "a published one, with a label",
      prepare: stored,
      send: toComponent("POST", { config: {}, stage: "published", label: "new" }, "/configs"),
      status: 201,
    },
  ],
  getCurrentConfigVersion: [
    {
      what: "a draft",
      prepare: stored,
      send: toComponent("GET", undefined, "/configs/current"),
      status: 200,
    },
    {
      what: "a live one",
      prepare: live,
      send: toComponent("GET", undefined, "/configs/current"),
      status: 200,
    },
  ],
  getConfigVersion: [
    { what: "one", prepare: stored, send: toComponent("GET", undefined, "/configs/1"), status: 200 },
  ],
  updateConfigVersion: [
    {
      what: "published",
      prepare: stored,
      send: toComponent("PATCH", { stage: "published" }, "/configs/1"),
      status: 200,
    },
  ],
  removeConfigVersion: [
    {
      what: "a draft of several",
      prepare: async () => {
        const made = await stored();
        await toComponent("POST", { config: {} }, "/configs")(made);
        return made;
      },
      send: toComponent("DELETE", undefined, "/configs/1"),
      status: 204,
    },
  ],
  setCurrentConfigVersion: [
    { what: "one", prepare: live, send: toComponent("POST", {}, "/configs/1/set-current"), status: 200 },
  ],
  ...ofKind("Agent"),
  ...ofKind("Team"),
  ...ofKind("Workflow"),
  listSchedules: [
    { what: "the newest", prepare: schedule, send: get(asAdmin, () => "/schedules"), status: 200 },
  ],
  createSchedule: [
    {
      what: "a new one",
      send: () => taken(admin.send("POST", "/schedules", { json: aSchedule() })),
      status: 201,
    },
  ],
  getSchedule: [{ what: "one", prepare: schedule, send: toSchedule("GET"), status: 200 }],
  updateSchedule: [
    {
      what: "its times and its name",
      prepare: schedule,
      send: (prepared) =>
        toSchedule("PATCH", { name: `renamed ${prepared.run_id}`, cron_expr: "5 5 * * *" })(prepared),
      status: 200,
      except: [surplusLeft(200)],
    },
  ],
  removeSchedule: [
    { what: "one", prepare: schedule, send: toSchedule("DELETE"), status: 204, except: [surplusLeft(204)] },
  ],
  enableSchedule: [
    {
      what: "a stopped one",
      prepare: stoppedSchedule,
      send: toSchedule("POST", undefined, "/enable"),
      status: 200,
    },
  ],
  disableSchedule: [
    {
      what: "one",
      prepare: schedule,
      send: toSchedule("POST", undefined, "/disable"),
      status: 200,
      except: [surplusLeft(200)],
    },
  ],
  listSessionRuns: [{ what: "one session", send: toSession("GET", undefined, "/runs"), status: 200 }],
  getSessionRun: [
    {
      what: "one run",
      send: get(asAdmin, ({ session_id, run_id }) => `/sessions/${session_id}/runs/${run_id}`),
      status: 200,
    },
  ],
};

let accounts = 0;
const mint = () => {
  accounts += 1;
  return taken(admin.send("POST", "/service-accounts", { json: { name: `account-${accounts}` } }));
};
/** A fresh account, whose id stands where a run's would. */
const account = async (): Promise<AcceptedRun> => {
  const answer = await mint();
  if (answer.status !== 201) throw new Error("the account was not minted");
  return { ...past, run_id: answer.json.id };
};

const operations = Object.entries(families).flatMap(([, table]) => Object.entries(table));
const stateless = operations.filter(([name]) => scenarios[name] === "reaches no store");
const storing = operations.flatMap(([name]) => {
  const mine = scenarios[name];
  return Array.isArray(mine) ? mine.map((scenario: Scenario) => ({ name, ...scenario })) : [];
});

test("every operation of the route tables is looked at here", () => {
  expect(Object.keys(scenarios).sort()).toEqual(operations.map(([name]) => name).sort());
});

test.each(stateless)("%s asks no store and no queue, so it works without them", async (_name, { path }) => {
  const sent = path
    .replace("{agent_id}", "assistant")
    .replace("{team_id}", "support-team")
    .replace("{workflow_id}", "publish-report")
    .replace("{knowledge_id}", "85c9c664-e3cd-8dd4-4e98-04c3a45da2e5");
  const { answer, calls } = await lab.record(() => taken(admin.send("GET", sent)));
  expect(answer.status).toBe(200);
  expect([...calls.keys()]).toEqual([]);
});

/** The suite walks every fourth scenario, which takes minutes; STORE_FAULTS=all walks them all, which takes twenty. */
const walked = storing.filter((_, i) => process.env.STORE_FAULTS === "all" || i % 4 === 0);

describe.each(walked)("$name, $what", (scenario) => {
  test("answers 503 and leaves things whole when a call is refused", () =>
    walk(scenario, "refused", () => true));

  // A read whose way is cut off is like one that is refused; of a write nobody knows whether it was done.
  test("answers 503 and leaves things whole when a write is dropped", () =>
    walk(scenario, "dropped", isWrite));

  test("leaves things whole when a write is done and its answer lost", () => walk(scenario, "lost", isWrite));
});

/** A door that has just read the queue's depth does not read it again. */
const DEPTH_IS_REMEMBERED_MS = 1_050;

/** Makes each kind of call fail in turn that the request makes when all is well. */
async function walk(scenario: Scenario, how: Failing, picks: (call: AwsCall) => boolean): Promise<void> {
  const { prepare = existing, send, status, except = [] } = scenario;
  const first = await prepare("");
  const { answer, calls } = await lab.record(() => send(first));
  expect(answer.status).toBe(status);
  expect(calls.size).toBeGreaterThan(0);
  for (const [kind, call] of calls) {
    if (!picks(call)) continue;
    const prepared = await prepare(kind);
    const before = await settled();
    if (/ COUNT$/.test(kind)) await pause(DEPTH_IS_REMEMBERED_MS);
    const failed = await lab.fail(kind, how, () => send(prepared));
    const exception = except.find((one) => one.kind.test(kind));
    if (exception) exception.check(failed);
    else expect({ kind, ...neutralBody(failed) }).toEqual({ kind, ...unavailable });
    const after = await settled();
    expect({ kind, faults: faultsIn(after) }).toEqual({ kind, faults: [] });
    if (!exception && how !== "lost" && isFirstWrite(kind, calls))
      expect({ kind, after }).toEqual({ kind, after: before });
  }
}

/** Whether nothing was written before this call. */
function isFirstWrite(kind: string, calls: ReadonlyMap<string, AwsCall>): boolean {
  const kinds = [...calls];
  const writes = kinds.findIndex(([, call]) => isWrite(call));
  return writes < 0 || kinds.findIndex(([one]) => one === kind) <= writes;
}

const unavailable = {
  status: 503,
  json: { error_code: "UNAVAILABLE", detail: "A service behind this one is not available; try again later" },
};
const neutralBody = (answer: Answered) => ({
  status: answer.status,
  json: answer.status === undefined ? answer.text : answer.json,
});

/** After so long the message of a content that nobody has taken was lost. */
const TAKEN_WITHIN_SECONDS = 3;

/** Whether a worker has a content, or is about to be told of it. */
const isUnderWay = ({ sk, lease_token, due_at, updated_at }: Item): boolean =>
  sk === "content" &&
  (lease_token !== undefined ||
    (due_at !== undefined && Date.now() / 1000 - Number(updated_at) < TAKEN_WITHIN_SECONDS));

/** The stores once nothing moves any more: workers have ended what they were told of. */
async function settled(): Promise<Stored> {
  for (let last: Stored | undefined; ; await pause(20)) {
    const stored = await stores.read();
    const isBusy =
      stored.jobs.some(({ status }) => status === "running") || stored.knowledge.some(isUnderWay);
    if (!isBusy && isDeepStrictEqual(stored, last)) return stored;
    last = stored;
  }
}

test("a run whose message could not be sent is sent again by the sweeper and completes", async () => {
  const run = await waitingRun();
  expect((await maria.poll(run)).json.status).toBe("PENDING");
  // It counts as lost once it has been due for a while.
  const due = { ":due": Math.floor(Date.now() / 1000) - 60 };
  await stores.db.client.send(
    new UpdateCommand({
      TableName: stores.db.tables.jobs,
      Key: jobKey(run.run_id),
      UpdateExpression: "SET available_at = :due",
      ExpressionAttributeValues: due,
    }),
  );
  platform.faults.clear();
  await platform.fireSchedules();
  expect((await maria.settled(run)).status).toBe("COMPLETED");
});

describe("a stream that follows a background run", () => {
  test.each(["GetItem session", "Query run"])(
    "is refused with 503 when the record cannot be read before its first frame (%s)",
    async (kind) => {
      const answer = await lab.fail(kind, "refused", () => start(maria, { background: "true" }));
      expect(neutralBody(answer)).toMatchObject(unavailable);
      // The run itself was accepted, and goes on.
      expect(faultsIn(await settled())).toEqual([]);
    },
  );

  test("breaks off instead of ending when the record cannot be read later, and the run goes on", async () => {
    const form = { message: "[[sleep:900]] done", background: "true" };
    const { body } = await maria.send("POST", runs, { form });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader?.read())?.value ?? "";
    const { run_id, session_id } = framesOf(text)[0]?.data ?? {};
    const read = async () => {
      for (let chunk = await reader?.read(); chunk?.value; chunk = await reader?.read()) text += chunk.value;
    };
    await expect(lab.fail("Query run", "dropped", read)).rejects.toThrow();
    expect(text).not.toContain("RunCompleted");
    const run = { run_id: String(run_id), session_id: String(session_id) };
    expect(await maria.settled(run)).toMatchObject({ status: "COMPLETED" });
  });
});
