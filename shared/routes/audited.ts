/**
 * How requests to a route are recorded in the audit.
 *
 * - `change`: its store writes the record in the transaction of the change. What changes nothing is recorded if it was refused.
 * - `around`: its work has several steps, so there is a record before it and one with its outcome.
 * - `many`: the same for work on many things; the second record has what was answered.
 *
 * What an admin does with a conversation of another user is recorded on every route, whether it is here or not.
 */
export type AuditMode = "change" | "around" | "many";

type Unaudited = { readonly unaudited: string; readonly writes?: boolean };

const ownWork = {
  unaudited:
    "what a user does with runs and sessions of their own; approvals that it resolves are recorded with them",
};
/** What is said or changed in a conversation. In another user's it is recorded each time, not once in a while as reading is. */
const ownWriting = { ...ownWork, writes: true };
/** The same of what is said about a run. */
const judging = { unaudited: "feedback is kept with who gave it", writes: true };
const readsOnly = { unaudited: "it changes nothing" };
const ownTexts = { unaudited: "a user keeps texts of their own; removing those of others is recorded" };
const pushConfig = { unaudited: "where a client is notified of a task of its own" };
const signed = {
  unaudited: "a chat platform delivers a message; what the user asks for then is a request of its own",
};
const cancels = "around";

/** What may be done by each kind of component over A2A. */
const taskRoutes = (kind: "Agent" | "Team" | "Workflow") => ({
  [`sendTo${kind}`]: ownWork,
  [`streamTo${kind}`]: ownWork,
  [`call${kind}`]: ownWork,
  [`callVersioned${kind}`]: ownWork,
  [`cancel${kind}Task`]: cancels,
  [`subscribeTo${kind}Task`]: readsOnly,
  [`create${kind}PushConfig`]: pushConfig,
  [`remove${kind}PushConfig`]: pushConfig,
});

const runRoutes = (kind: "Agent" | "Team" | "Workflow") => ({
  [`create${kind}Run`]: ownWriting,
  [`continue${kind}Run`]: ownWriting,
  [`resume${kind}Run`]: readsOnly,
  [`cancel${kind}Run`]: cancels,
  [`send${kind}Message`]: ownWriting,
  [`withdraw${kind}Message`]: ownWriting,
  [`run${kind}Agui`]: ownWork,
  [`run${kind}Chat`]: ownWork,
  [`stop${kind}Chat`]: cancels,
  [`create${kind}`]: "change",
  [`update${kind}`]: "change",
  [`remove${kind}`]: "change",
});

/**
 * The one place that says what the audit records. Every route that changes something is here, or says why it is not: a test
 * refuses one that is missing.
 */
export const audited: Readonly<Record<string, AuditMode | Unaudited>> = {
  ...runRoutes("Agent"),
  ...runRoutes("Team"),
  ...runRoutes("Workflow"),
  forkAgentSession: ownWriting,
  forkTeamSession: ownWriting,
  compactAgentSession: ownWriting,
  runAgui: ownWork,
  createChatCompletion: ownWork,
  createOpenaiResponse: ownWork,
  cancelOpenaiResponse: cancels,
  removeOpenaiResponse: "change",
  callMcp: ownWork,
  ...taskRoutes("Agent"),
  ...taskRoutes("Team"),
  ...taskRoutes("Workflow"),
  stopAgentTask: cancels,
  stopTeamTask: cancels,
  readAgentTask: readsOnly,
  readTeamTask: readsOnly,
  sendMessage: ownWork,
  streamMessage: ownWork,

  resolveApproval: "change",
  removeApproval: "change",

  requeueJob: "around",
  requeueJobs: "many",
  cancelJobs: "many",
  cancelRuns: "many",
  migrateDatabase: "around",
  migrateAllDatabases: "around",
  removeUserData: "around",
  saveView: ownTexts,
  removeView: ownTexts,

  mintServiceAccount: "change",
  revokeServiceAccount: "change",

  createComponent: "change",
  updateComponent: "change",
  removeComponent: "change",
  restoreComponent: "change",
  createSkill: "change",
  updateSkill: "change",
  removeSkill: "change",
  createConfigVersion: "change",
  updateConfigVersion: "change",
  removeConfigVersion: "change",
  setCurrentConfigVersion: "change",
  checkConfigVersion: readsOnly,

  createSchedule: "change",
  updateSchedule: "change",
  removeSchedule: "change",
  enableSchedule: "change",
  disableSchedule: "change",
  triggerSchedule: "around",

  createWebhookEndpoint: "change",
  updateWebhookEndpoint: "change",
  removeWebhookEndpoint: "change",
  rotateWebhookSecret: "change",
  rotateCallbackSecret: "around",
  redeliverWebhook: "around",
  testWebhookEndpoint: { unaudited: "it sends a message without content to a receiver that is recorded" },

  createSession: ownWork,
  updateSession: ownWork,
  renameSession: ownWork,
  removeSession: "change",
  removeSessions: "change",
  searchTraces: readsOnly,

  addContent: { unaudited: "contents are listed with who added them" },
  addRemoteContent: { unaudited: "contents are listed with who added them" },
  createUploadUrl: { unaudited: "contents are listed with who added them" },
  refreshContent: { unaudited: "it reads the source of a content again" },
  updateContent: { unaudited: "it describes a content; removing it is recorded" },
  removeContent: "around",
  removeAllContent: "around",
  searchKnowledge: readsOnly,

  createMemory: ownTexts,
  updateMemory: ownTexts,
  optimizeMemories: ownTexts,
  removeMemory: "around",
  removeMemories: "around",
  createLearning: ownTexts,
  updateLearning: ownTexts,
  removeLearning: "around",
  removeUserLearnings: "around",

  createFeedbackLinks: judging,
  submitFeedback: {
    unaudited: "whoever has a link says something; it is kept with the name that the link has",
  },
  giveFeedback: judging,
  reviewFeedback: judging,
  removeFeedback: judging,

  createEval: { unaudited: "an evaluation is listed with who started it" },
  updateEval: { unaudited: "it renames an evaluation" },
  removeEvals: "around",
  createDataset: { unaudited: "a dataset is listed with who made it" },
  createDatasetVersion: { unaudited: "versions of a dataset stay side by side" },
  addDatasetCases: "change",
  changeDatasetCases: { unaudited: "versions of a dataset stay side by side" },
  removeDataset: "around",
  refreshMetrics: { unaudited: "it computes figures again" },

  decideConsent: "change",
  removeConnectedApp: "change",
  issueOauthToken: { unaudited: "a client gets what its user has let it do, which is recorded" },
  revokeOauthToken: { unaudited: "a client gives back what it has" },
  registerOauthClient: { unaudited: "a client that no user has let in may do nothing" },

  receiveWhatsappWebhook: signed,
  receiveTelegramWebhook: signed,
  receiveSlackEvent: signed,
  receiveSlackInteraction: signed,
};

/** Undefined where requests are not recorded. */
export function auditModeOf(operation: string): AuditMode | undefined {
  const decided = audited[operation];
  return typeof decided === "string" ? decided : undefined;
}

/** Whether a route writes into a conversation, which is recorded where it is another user's. */
export function writesConversation(operation: string): boolean {
  const decided = audited[operation];
  return typeof decided === "object" && decided.writes === true;
}
