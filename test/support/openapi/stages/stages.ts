import { WEBHOOK_SECRET } from "../../chat-platforms/bot-server.ts";
import { signatureOf } from "../../chat-platforms/graph-server.ts";
import { slackHeaders } from "../../chat-platforms/slack-server.ts";
import type { Client } from "../../client.ts";
import {
  aComponent,
  aContent,
  aDataset,
  aDelivery,
  aLearning,
  aLearningUser,
  aMemory,
  aMintingAccount,
  anAccount,
  anArchivedComponent,
  anEndpoint,
  anEval,
  aSchedule,
  aScheduleRun,
  aSource,
  aUserWhoLeaves,
  CASES,
  content,
  evalOf,
  fromSource,
  handshake,
  ofKind,
  someEndpoint,
  twoEvals,
  versions,
} from "./records.ts";
import {
  aChat,
  aCheckpoint,
  aFailedJob,
  aFailedRun,
  aFeedbackLink,
  aLongSession,
  aMedium,
  aNamedSession,
  anApproval,
  aPushConfig,
  aRunMessage,
  aSession,
  aTask,
  aTaskOf,
  aThread,
  aTrace,
  continueAgentRun,
  continueTeamRun,
  continueWorkflowRun,
  ended,
  enveloped,
  manyFailedJobs,
  manyLiveJobs,
  metered,
  removedApproval,
  resolved,
  someFeedback,
  soonCancelled,
  soonStopped,
  waitingForMore,
} from "./runs.ts";
import { aCode, aConnectedApp, aRequest } from "./sign-in.ts";
import { done, fresh, listed, type Noun, running, type Stage, type Staged, type Thing } from "./stage.ts";

/** The stages of the routes that there are once for each kind. */
const forKind = (noun: Noun) => {
  const kind = `${noun[0]?.toUpperCase()}${noun.slice(1)}`;
  return {
    [`list${kind}Runs`]: ended(noun),
    [`run${kind}Agui`]: aThread(noun),
    [`run${kind}Chat`]: aChat(noun),
    [`get${kind}Chat`]: aChat(noun),
    [`stop${kind}Chat`]: aChat(noun),
    [`follow${kind}Chat`]: soonStopped(noun),
    [`list${kind}Messages`]: aRunMessage(noun),
    [`update${kind}`]: ofKind(noun),
    [`remove${kind}`]: ofKind(noun),
    [`list${kind}Tasks`]: aTaskOf(noun),
    [`follow${kind}Task`]: soonCancelled(noun),
    [`subscribeTo${kind}Task`]: soonCancelled(noun),
    [`read${kind}Task`]: enveloped(noun),
    [`stop${kind}Task`]: enveloped(noun),
  };
};

const aView: Stage = async (owner) => {
  const view_name = fresh("failures");
  await done(owner.post("/me/views", { json: { name: view_name, to: "/runs?status=ERROR" } }));
  return { about: { view_name } };
};

const aResponse: Stage = async (owner) => {
  const body = { model: "agent:assistant", input: "Where is my order?" };
  const { id } = await done(owner.post("/v1/responses", { json: body }));
  return { about: { response_id: id } };
};

/** What an operation is about, where its path does not say it. Made anew for each request: most of it is used up by one. */
const stages: Readonly<Record<string, Stage>> = {
  ...forKind("agent"),
  ...forKind("team"),
  ...forKind("workflow"),
  continueAgentRun,
  continueTeamRun,
  continueWorkflowRun,
  sendAgentMessage: waitingForMore("agent"),
  sendTeamMessage: waitingForMore("team"),
  sendWorkflowMessage: waitingForMore("workflow"),
  getOpenaiResponse: aResponse,
  cancelOpenaiResponse: aResponse,
  removeOpenaiResponse: aResponse,
  listOpenaiInputItems: aResponse,
  getOpenaiModel: async () => ({ about: { model: "agent:assistant" } }),
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
  listSkills: listed(ofKind("skill")),
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
  describeConsent: async (owner) => ({ about: {}, query: await aRequest(owner) }),
  decideConsent: async (owner) => ({ about: {}, body: await aRequest(owner) }),
  issueOauthToken: aCode,
  listConnectedApps: listed(aConnectedApp),
  createFeedbackLinks: async (owner, admin) => {
    const { about } = await ended("agent")(owner, admin);
    return { about, body: { session_id: about.session_id } };
  },
  giveFeedback: async (owner, admin) => {
    const { about } = await ended("agent")(owner, admin);
    return { about, body: { session_id: about.session_id } };
  },
  listRunFeedback: someFeedback,
  listFeedback: listed(someFeedback),
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
  listViews: listed(aView),
  listTraces: listed(aTrace),
  searchTraces: listed(aTrace),
  listTraceSessionStats: listed(aTrace),
  removeUserData: aUserWhoLeaves,
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
  message_id: aRunMessage,
  message_index: aCheckpoint,
  session_id: ended,
  key: () => aMedium,
  approval_id: () => anApproval,
  job_id: () => aFailedJob,
  schedule_id: () => aSchedule,
  content_id: () => aContent,
  component_id: () => aComponent,
  skill_id: () => ofKind("skill"),
  version: () => versions("draft", "2"),
  account_id: () => anAccount,
  app_id: () => aConnectedApp,
  eval_run_id: () => anEval,
  dataset_id: () => aDataset,
  feedback_id: () => someFeedback,
  token: () => aFeedbackLink,
  memory_id: () => aMemory,
  learning_id: () => aLearning,
  user_id: () => aLearningUser,
  view_name: () => aView,
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
