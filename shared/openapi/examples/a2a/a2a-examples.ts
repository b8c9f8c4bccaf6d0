import type { a2aRoutes } from "../../../routes/protocols/a2a.ts";
import type { ExamplesOf } from "../example.ts";
import {
  call,
  called,
  callStream,
  envelope,
  envelopeFrames,
  envelopeQuestion,
  envelopeTask,
  message,
  task,
  taskStream,
} from "./tasks.ts";

const query = { "A2A-Version": "1.0" };

const receiver = {
  ...{ id: "erp", url: "https://client.example.com/tasks", token: "t-4711" },
  authentication: { scheme: "Bearer", credentials: "key-of-the-receiver" },
};
const pushConfig = {
  ...receiver,
  taskId: "0198c5f2-7d1a-7c3e-9a55-2f6d1f1b7e11",
  authentication: { scheme: "Bearer" },
};

/** Requests of other agents to one kind of component, and its answers. */
const examplesOf = (name: string, description: string) => ({
  card: {
    query,
    answer: {
      name,
      description,
      version: "0.1.0",
      skills: [{ id: "run", name, description, tags: [] }],
      capabilities: { streaming: true },
    },
  },
  send: { query, body: message, answer: { task }, further: { 202: envelopeTask } },
  stream: { query, body: message, answer: called, stream: taskStream },
  call: { query, body: call, answer: called, stream: callStream },
  listTasks: {
    query: { ...query, pageSize: 20 },
    answer: { tasks: [task], nextPageToken: "", pageSize: 20, totalSize: 1 },
  },
  getTask: { query, answer: task },
  cancelTask: {
    query,
    answer: { ...task, status: { state: "TASK_STATE_CANCELED" }, artifacts: [] },
  },
  follow: { query, answer: { task }, stream: taskStream },
  createPush: { query, body: receiver, answer: pushConfig },
  listPush: { query, answer: { configs: [pushConfig], nextPageToken: "" } },
  getPush: { query, answer: pushConfig },
  removePush: { query, answer: {} },
});

const agents = examplesOf("Assistant", "Answers questions.");
const teams = examplesOf("Support team", "Answers what customers ask.");
const workflows = examplesOf("Publish report", "Outlines, writes and publishes a report.");
const readTask = { body: envelopeQuestion, answer: envelopeTask };
const deprecated = {
  ...envelope,
  params: { message: { ...envelope.params.message, agentId: "assistant" } },
};

export const a2aExamples: ExamplesOf<typeof a2aRoutes> = {
  getHostCard: agents.card,
  getCardKeys: {
    answer: {
      keys: [{ kty: "EC", crv: "P-256", x: "…", y: "…", kid: "cards-2026-11", alg: "ES256", use: "sig" }],
    },
  },
  listCards: { query, answer: { cards: [agents.card.answer, teams.card.answer] } },
  getAgentCard: agents.card,
  sendToAgent: agents.send,
  streamToAgent: agents.stream,
  callAgent: agents.call,
  callVersionedAgent: agents.call,
  listAgentTasks: agents.listTasks,
  getAgentTask: agents.getTask,
  cancelAgentTask: agents.cancelTask,
  subscribeToAgentTask: agents.follow,
  followAgentTask: agents.follow,
  createAgentPushConfig: agents.createPush,
  listAgentPushConfigs: agents.listPush,
  getAgentPushConfig: agents.getPush,
  removeAgentPushConfig: agents.removePush,
  getExtendedAgentCard: agents.card,
  getLegacyAgentCard: agents.card,
  readAgentTask: readTask,
  stopAgentTask: readTask,
  getTeamCard: teams.card,
  sendToTeam: teams.send,
  streamToTeam: teams.stream,
  callTeam: teams.call,
  callVersionedTeam: teams.call,
  listTeamTasks: teams.listTasks,
  getTeamTask: teams.getTask,
  cancelTeamTask: teams.cancelTask,
  subscribeToTeamTask: teams.follow,
  followTeamTask: teams.follow,
  createTeamPushConfig: teams.createPush,
  listTeamPushConfigs: teams.listPush,
  getTeamPushConfig: teams.getPush,
  removeTeamPushConfig: teams.removePush,
  getExtendedTeamCard: teams.card,
  getLegacyTeamCard: teams.card,
  readTeamTask: readTask,
  stopTeamTask: readTask,
  getWorkflowCard: workflows.card,
  sendToWorkflow: workflows.send,
  streamToWorkflow: workflows.stream,
  callWorkflow: workflows.call,
  callVersionedWorkflow: workflows.call,
  listWorkflowTasks: workflows.listTasks,
  getWorkflowTask: workflows.getTask,
  cancelWorkflowTask: workflows.cancelTask,
  subscribeToWorkflowTask: workflows.follow,
  followWorkflowTask: workflows.follow,
  createWorkflowPushConfig: workflows.createPush,
  listWorkflowPushConfigs: workflows.listPush,
  getWorkflowPushConfig: workflows.getPush,
  removeWorkflowPushConfig: workflows.removePush,
  getExtendedWorkflowCard: workflows.card,
  getLegacyWorkflowCard: workflows.card,
  sendMessage: { body: deprecated, answer: envelopeTask, further: { 202: envelopeTask } },
  streamMessage: {
    body: { ...deprecated, method: "message/stream" },
    answer: envelopeTask,
    stream: envelopeFrames,
  },
};
