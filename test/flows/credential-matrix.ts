import { families } from "../../shared/routes/index.ts";
import type { Route, RouteTable } from "../../shared/routes/route.ts";
import { traceIdOf } from "../../shared/stores/traces/trace-item.ts";
import type { Client, Sent } from "../support/client.ts";
import { a2aSubjects } from "./a2a-subjects.ts";

type FamilyTables = typeof families;
/** Name of every served operation. */
export type Operation = { [F in keyof FamilyTables]: keyof FamilyTables[F] }[keyof FamilyTables];

/**
 * What an operation is about:
 *   public     no credential is asked for
 *   admin      only an admin passes, so ownership does not matter
 *   shared     what it shows belongs to the instance, not to a user
 *   own        it lists or makes what belongs to the caller; the test of two users watches these
 *   otherwise  creates an object of one user and returns the request for it, which is 404 for all others
 */
export type Subject = "public" | "admin" | "shared" | "own" | ((owner: Client) => Promise<string | Asked>);
/** A request that says more than its path. */
export type Asked = { readonly path: string; readonly sent: Sent };

const someRun = async (owner: Client) => {
  const { json } = await owner.run("mine alone");
  return `${json.run_id}?session_id=${json.session_id}`;
};

const someRunAsked = async (owner: Client, verb: string): Promise<Asked> => {
  const { json } = await owner.run("mine alone");
  const form = { session_id: json.session_id, stream: "false" };
  return { path: `/agents/assistant/runs/${json.run_id}/${verb}`, sent: { form } };
};

type Made = { readonly run_id: string; readonly session_id: string };

const made = async (owner: Client, path: string): Promise<Made> =>
  (await owner.post(path, { form: { message: "mine alone", stream: "false" } })).json;
const teamRun = (owner: Client) => made(owner, "/teams/support-team/runs");
const workflowRun = (owner: Client) => made(owner, "/workflows/publish-report/runs");

const runPath = (component: string, { run_id, session_id }: Made, below: string) =>
  `/${component}/runs/${run_id}${below}?session_id=${session_id}`;

const asked = (component: string, { run_id, session_id }: Made, verb: string, form = {}): Asked => ({
  path: `/${component}/runs/${run_id}/${verb}`,
  sent: { form: { session_id, stream: "false", ...form } },
});

/** A thread of AG-UI, which another user says something in. */
const someThread = async (owner: Client, component: string): Promise<Asked> => {
  const { session_id: threadId } = await made(owner, `/${component}/runs`);
  const messages = [{ id: "m", role: "user", content: "whose is this?" }];
  return { path: `/${component}/agui`, sent: { json: { threadId, runId: "r", messages } } };
};

const someSession = async (owner: Client) => `/sessions/${(await owner.run("mine alone")).json.session_id}`;

const someApproval = async (owner: Client) => {
  const form = { message: '[[tool:close_account {"account":"mine alone"}]]', stream: "false" };
  const { json } = await owner.post("/agents/account-desk/runs", { form });
  return `/approvals/${json.tools[0].approval_id}`;
};

const someContent = async (owner: Client) => {
  const { json } = await owner.post("/knowledge/content", { form: { text_content: "mine alone" } });
  return `/knowledge/content/${json.id}`;
};

/** A draft of the owner's own; no other user sees it. */
const someComponent = async (owner: Client, kind = "components") => {
  const sent = {
    json: { name: "mine alone", component_type: "agent", component_id: `mine-${crypto.randomUUID()}` },
  };
  return `/${kind}/${(await owner.post(`/${kind}`, sent)).json.component_id}`;
};
const someVersion = async (owner: Client) => `${await someComponent(owner)}/configs/1`;
const someSchedule = async (owner: Client) => {
  const name = `mine alone ${crypto.randomUUID()}`;
  const json = { name, cron_expr: "0 9 * * *", endpoint: "/agents/assistant/runs" };
  return `/schedules/${(await owner.post("/schedules", { json })).json.id}`;
};

const someMemory = async (owner: Client) => {
  const { json } = await owner.post("/memories", { json: { memory: "mine alone" } });
  return `/memories/${json.memory_id}`;
};

const someEval = async (owner: Client) => {
  const json = { eval_type: "performance", agent_id: "assistant", input: "mine alone", background: true };
  return `/eval-runs/${(await owner.post("/eval-runs", { json })).json.id}`;
};

/** A form with a file of one case. */
const casesForm = (): FormData => {
  const form = new FormData();
  form.append("name", "mine alone");
  form.append("file", new File(["input\nmine alone\n"], "cases.csv", { type: "text/csv" }));
  return form;
};

const someDataset = async (owner: Client) =>
  `/eval-datasets/${(await owner.post("/eval-datasets", { form: casesForm() })).json.id}`;

const someComparison = async (owner: Client) => {
  const [, , id] = (await someEval(owner)).split("/");
  return `/eval-runs/compare?ids=${id},${id}`;
};

/** Who a client is, which only the platform knows: a memory is always stored under its maker. */
const someLearning = async (owner: Client) => {
  const user_id = (await owner.post("/memories", { json: { memory: "whoever I am" } })).json.user_id;
  const json = { learning_type: "note", content: { text: "mine alone" }, user_id };
  return `/learnings/${(await owner.post("/learnings", { json })).json.learning_id}`;
};

/** Nothing listens there; whether a message arrives does not matter here. */
const receiver = "https://127.0.0.255.example/hooks";
const someEndpoint = async (owner: Client) =>
  `/webhook-endpoints/${(await owner.post("/webhook-endpoints", { json: { url: receiver } })).json.id}`;
const someDelivery = async (owner: Client) =>
  `/webhook-deliveries/${(await owner.post(`${await someEndpoint(owner)}/test`)).json.id}`;

/** A route that is missing here does not compile: say what it is about, and the matrix tries every entry point of it. */
export const subjects: Readonly<Record<Operation, Subject>> = {
  ...a2aSubjects,
  getRoot: "public",
  getHealth: "public",
  getInfo: "public",
  getOpenApi: "public",
  verifyWhatsappWebhook: "public",
  receiveWhatsappWebhook: "public",
  getWhatsappStatus: "public",
  receiveTelegramWebhook: "public",
  getTelegramStatus: "public",
  receiveSlackEvent: "public",
  receiveSlackInteraction: "public",
  getSlackStatus: "public",
  getFavicon: "public",
  getDocs: "public",
  getConfig: "shared",
  getMe: "own",
  listModels: "shared",
  listRegistry: "shared",
  listAgents: "shared",
  getAgent: "shared",
  listTeams: "shared",
  getTeam: "shared",
  listWorkflows: "shared",
  getWorkflow: "shared",
  listRuns: "own",
  createAgentRun: "own",
  listAgentRuns: async (owner) =>
    `/agents/assistant/runs?session_id=${(await owner.run("mine alone")).json.session_id}`,
  getAgentRun: async (owner) => `/agents/assistant/runs/${await someRun(owner)}`,
  continueAgentRun: (owner) => someRunAsked(owner, "continue"),
  resumeAgentRun: (owner) => someRunAsked(owner, "resume"),
  listAgentCheckpoints: async (owner) =>
    `/agents/assistant/runs/${(await someRun(owner)).replace("?", "/checkpoints?")}`,
  getAgentCheckpoint: async (owner) =>
    `/agents/assistant/runs/${(await someRun(owner)).replace("?", "/checkpoints/1?")}`,
  forkAgentSession: "own",
  compactAgentSession: async (owner) =>
    `/agents/assistant/sessions/${(await owner.run("mine alone")).json.session_id}/compact`,
  createTeamRun: "own",
  listTeamRuns: async (owner) => `/teams/support-team/runs?session_id=${(await teamRun(owner)).session_id}`,
  getTeamRun: async (owner) => runPath("teams/support-team", await teamRun(owner), ""),
  continueTeamRun: async (owner) => asked("teams/support-team", await teamRun(owner), "continue"),
  resumeTeamRun: async (owner) => asked("teams/support-team", await teamRun(owner), "resume"),
  cancelTeamRun: async (owner) => runPath("teams/support-team", await teamRun(owner), "/cancel"),
  listTeamCheckpoints: async (owner) => runPath("teams/support-team", await teamRun(owner), "/checkpoints"),
  getTeamCheckpoint: async (owner) => runPath("teams/support-team", await teamRun(owner), "/checkpoints/1"),
  forkTeamSession: "own",
  createWorkflowRun: "own",
  runAgui: "own",
  getAguiStatus: "shared",
  runAgentAgui: (owner) => someThread(owner, "agents/assistant"),
  runTeamAgui: (owner) => someThread(owner, "teams/support-team"),
  runWorkflowAgui: (owner) => someThread(owner, "workflows/publish-report"),
  callMcp: "own",
  getMcpResource: "public",
  getMcpResourceOfPath: "public",
  listWorkflowRuns: async (owner) =>
    `/workflows/publish-report/runs?session_id=${(await workflowRun(owner)).session_id}`,
  getWorkflowRun: async (owner) => runPath("workflows/publish-report", await workflowRun(owner), ""),
  continueWorkflowRun: async (owner) =>
    asked("workflows/publish-report", await workflowRun(owner), "continue", {
      step_requirements: '[{"step_id":"publish","confirmed":true}]',
    }),
  resumeWorkflowRun: async (owner) => asked("workflows/publish-report", await workflowRun(owner), "resume"),
  cancelWorkflowRun: async (owner) =>
    runPath("workflows/publish-report", await workflowRun(owner), "/cancel"),
  listApprovals: "own",
  countApprovals: "own",
  getApproval: someApproval,
  getApprovalStatus: async (owner) => `${await someApproval(owner)}/status`,
  resolveApproval: "admin",
  removeApproval: "admin",
  cancelAgentRun: async (owner) =>
    `/agents/assistant/runs/${(await someRun(owner)).replace("?", "/cancel?")}`,
  listJobs: "admin",
  getJob: "admin",
  getRunLog: "admin",
  getQueueStats: "admin",
  requeueJob: "admin",
  requeueJobs: "admin",
  cancelJobs: "admin",
  listSessions: "own",
  createSession: "own",
  removeSessions: "own",
  getSession: someSession,
  updateSession: async (owner) => ({ path: await someSession(owner), sent: { json: { session_name: "x" } } }),
  // A foreign id answers as an unknown one does, with 204; that nothing goes with it is a test of the family's.
  removeSession: "own",
  renameSession: async (owner) => ({
    path: `${await someSession(owner)}/rename`,
    sent: { json: { session_name: "x" } },
  }),
  listSessionRuns: async (owner) => `${await someSession(owner)}/runs`,
  listRunPreviews: async (owner) => `${await someSession(owner)}/run-previews`,
  getSessionMedium: async (owner) => {
    const form = { message: '[[tool:draw_badge {"colour":"#00cc33"}]]', stream: "false" };
    const { json } = await owner.post("/agents/assistant/runs", { form });
    return `/sessions/${json.session_id}/media/${json.images[0].media_reference.storage_key}`;
  },
  getSessionRun: async (owner) => {
    const { json } = await owner.run("mine alone");
    return `/sessions/${json.session_id}/runs/${json.run_id}`;
  },
  addContent: "own",
  addRemoteContent: "own",
  createUploadUrl: "own",
  listContent: "own",
  getContent: someContent,
  getContentStatus: async (owner) => `${await someContent(owner)}/status`,
  refreshContent: async (owner) => {
    const form = { url: `https://127.0.0.1/${crypto.randomUUID()}` };
    return `/knowledge/content/${(await owner.post("/knowledge/content", { form })).json.id}/refresh`;
  },
  updateContent: async (owner) => ({ path: await someContent(owner), sent: { form: { name: "x" } } }),
  removeContent: someContent,
  removeAllContent: "own",
  getKnowledgeConfig: "own",
  listKnowledgeSources: "shared",
  listSourceFiles: "shared",
  searchKnowledge: "own",
  listComponents: "own",
  createComponent: "own",
  getComponent: someComponent,
  updateComponent: async (owner) => ({ path: await someComponent(owner), sent: { json: { name: "x" } } }),
  removeComponent: someComponent,
  restoreComponent: async (owner) => {
    const path = await someComponent(owner);
    await owner.call("DELETE", path);
    return `${path}/restore`;
  },
  listConfigVersions: async (owner) => `${await someComponent(owner)}/configs`,
  createConfigVersion: async (owner) => ({
    path: `${await someComponent(owner)}/configs`,
    sent: { json: { config: {} } },
  }),
  getCurrentConfigVersion: async (owner) => `${await someComponent(owner)}/configs/current`,
  getConfigVersion: someVersion,
  checkConfigVersion: async (owner) => `${await someVersion(owner)}/check`,
  updateConfigVersion: async (owner) => ({ path: await someVersion(owner), sent: { json: { notes: "x" } } }),
  removeConfigVersion: async (owner) => {
    const path = await someComponent(owner);
    await owner.post(`${path}/configs`, { json: { config: {} } });
    return `${path}/configs/1`;
  },
  // Only a published version can be made current, and everybody sees those: a stranger gets 403.
  setCurrentConfigVersion: "shared",
  createAgent: "own",
  updateAgent: async (owner) => ({
    path: await someComponent(owner, "agents"),
    sent: { json: { name: "x" } },
  }),
  removeAgent: (owner) => someComponent(owner, "agents"),
  createTeam: "own",
  updateTeam: async (owner) => ({ path: await someComponent(owner, "teams"), sent: { json: { name: "x" } } }),
  removeTeam: (owner) => someComponent(owner, "teams"),
  createWorkflow: "own",
  updateWorkflow: async (owner) => ({
    path: await someComponent(owner, "workflows"),
    sent: { json: { name: "x" } },
  }),
  removeWorkflow: (owner) => someComponent(owner, "workflows"),
  getDatabase: "shared",
  migrateDatabase: "shared",
  migrateAllDatabases: "shared",
  createSchedule: "own",
  listSchedules: "own",
  getSchedule: someSchedule,
  updateSchedule: async (owner) => ({
    path: await someSchedule(owner),
    sent: { json: { description: "x" } },
  }),
  removeSchedule: someSchedule,
  enableSchedule: async (owner) => `${await someSchedule(owner)}/enable`,
  disableSchedule: async (owner) => `${await someSchedule(owner)}/disable`,
  createEval: "own",
  listEvals: "own",
  removeEvals: "own",
  getEval: someEval,
  listEvalCases: async (owner) => `${await someEval(owner)}/cases`,
  compareEvals: someComparison,
  listDatasets: "own",
  createDataset: "own",
  getDataset: someDataset,
  listDatasetCases: async (owner) => `${await someDataset(owner)}/cases`,
  createDatasetVersion: async (owner) => ({
    path: `${await someDataset(owner)}/versions`,
    sent: { form: casesForm() },
  }),
  removeDataset: someDataset,
  updateEval: async (owner) => ({ path: await someEval(owner), sent: { json: { name: "x" } } }),
  createMemory: "own",
  listMemories: "own",
  // Foreign ids answer as unknown ones do, with 204; that nothing goes with them is a test of the family's.
  removeMemories: "own",
  removeMemory: "own",
  getMemory: someMemory,
  updateMemory: async (owner) => ({ path: await someMemory(owner), sent: { json: { memory: "x" } } }),
  getMetrics: "own",
  refreshMetrics: "own",
  getRefreshStatus: "own",
  listMemoryTopics: "own",
  listUserMemoryStats: "own",
  optimizeMemories: "own",
  createLearning: "own",
  listLearnings: "own",
  listLearningUsers: "own",
  // Another user's name is refused with 403: it is no secret that a name is not one's own.
  removeUserLearnings: "own",
  getLearning: someLearning,
  updateLearning: async (owner) => ({ path: await someLearning(owner), sent: { json: { content: {} } } }),
  removeLearning: someLearning,
  listTraces: "own",
  getTraceFilterSchema: "shared",
  getTrace: async (owner) => `/traces/${traceIdOf((await owner.run("mine alone")).json.run_id)}`,
  listTraceSessionStats: "own",
  searchTraces: "own",
  triggerSchedule: async (owner) => `${await someSchedule(owner)}/trigger`,
  listScheduleRuns: async (owner) => `${await someSchedule(owner)}/runs`,
  getScheduleRun: async (owner) => {
    const path = await someSchedule(owner);
    return `${path}/runs/${(await owner.post(`${path}/trigger`)).json.id}`;
  },
  createWebhookEndpoint: "own",
  listWebhookEndpoints: "own",
  getWebhookEndpoint: someEndpoint,
  updateWebhookEndpoint: async (owner) => ({
    path: await someEndpoint(owner),
    sent: { json: { description: "x" } },
  }),
  removeWebhookEndpoint: someEndpoint,
  rotateWebhookSecret: async (owner) => ({
    path: `${await someEndpoint(owner)}/rotate-secret`,
    sent: { json: {} },
  }),
  testWebhookEndpoint: async (owner) => `${await someEndpoint(owner)}/test`,
  listWebhookDeliveries: "own",
  getWebhookDelivery: someDelivery,
  redeliverWebhook: async (owner) => `${await someDelivery(owner)}/redeliver`,
  getCallbackSecret: "own",
  rotateCallbackSecret: "own",
  mintServiceAccount: "own",
  listServiceAccounts: "own",
  revokeServiceAccount: async (owner) => {
    const { json } = await owner.post("/service-accounts", { json: { name: "mine-alone", scopes: [] } });
    return `/service-accounts/${json.id}`;
  },
};

export type Row = { readonly operation: string; readonly route: Route; readonly subject: Subject };

export const rows: readonly Row[] = Object.values<RouteTable>(families).flatMap((table) =>
  Object.entries(table).map(([operation, route]) => ({
    operation,
    route,
    subject: subjects[operation as Operation], // a key of one of the tables
  })),
);

/** All scopes that some route asks for, but the admin's: what an ordinary user may hold at most. */
export const ordinaryScopes: readonly string[] = [
  ...new Set(rows.flatMap(({ route }) => (route.scopes === "public" ? [] : route.scopes))),
].filter((scope) => scope !== "platform:admin");
