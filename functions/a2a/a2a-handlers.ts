import type { RunnableKind } from "../../shared/engine/define/runnable.ts";
import { forKind } from "../../shared/runs/index.ts";
import { callMethod } from "./call-method.ts";
import { readTask, stopTaskByEnvelope } from "./envelope-tasks.ts";
import { getCard } from "./get-card.ts";
import { createPushConfig, getPushConfig, listPushConfigs, removePushConfig } from "./rest-push.ts";
import { cancelTask, getTask, listTasks, subscribeToTask } from "./rest-tasks.ts";
import { sendDeprecated, streamDeprecated } from "./send-deprecated.ts";
import { sendMessage, streamMessage } from "./send-message.ts";
import { getCardKeys, getHostCard, listCards } from "./service-cards.ts";

const handlersOf = (kind: RunnableKind) => ({
  card: forKind(kind, getCard),
  send: forKind(kind, sendMessage),
  stream: forKind(kind, streamMessage),
  call: forKind(kind, callMethod),
  list: forKind(kind, listTasks),
  get: forKind(kind, getTask),
  cancel: forKind(kind, cancelTask),
  subscribe: forKind(kind, subscribeToTask),
  createPush: forKind(kind, createPushConfig),
  listPush: forKind(kind, listPushConfigs),
  getPush: forKind(kind, getPushConfig),
  removePush: forKind(kind, removePushConfig),
  read: forKind(kind, readTask),
  stop: forKind(kind, stopTaskByEnvelope),
});
const agents = handlersOf("agent");
const teams = handlersOf("team");
const workflows = handlersOf("workflow");

/** The handlers of requests by other agents, for each kind under the name of its route. */
export const a2aHandlers = {
  getHostCard,
  getCardKeys,
  listCards,
  getAgentCard: agents.card,
  sendToAgent: agents.send,
  streamToAgent: agents.stream,
  callAgent: agents.call,
  callVersionedAgent: agents.call,
  listAgentTasks: agents.list,
  getAgentTask: agents.get,
  cancelAgentTask: agents.cancel,
  subscribeToAgentTask: agents.subscribe,
  followAgentTask: agents.subscribe,
  createAgentPushConfig: agents.createPush,
  listAgentPushConfigs: agents.listPush,
  getAgentPushConfig: agents.getPush,
  removeAgentPushConfig: agents.removePush,
  getExtendedAgentCard: agents.card,
  getLegacyAgentCard: agents.card,
  readAgentTask: agents.read,
  stopAgentTask: agents.stop,
  getTeamCard: teams.card,
  sendToTeam: teams.send,
  streamToTeam: teams.stream,
  callTeam: teams.call,
  callVersionedTeam: teams.call,
  listTeamTasks: teams.list,
  getTeamTask: teams.get,
  cancelTeamTask: teams.cancel,
  subscribeToTeamTask: teams.subscribe,
  followTeamTask: teams.subscribe,
  createTeamPushConfig: teams.createPush,
  listTeamPushConfigs: teams.listPush,
  getTeamPushConfig: teams.getPush,
  removeTeamPushConfig: teams.removePush,
  getExtendedTeamCard: teams.card,
  getLegacyTeamCard: teams.card,
  readTeamTask: teams.read,
  stopTeamTask: teams.stop,
  getWorkflowCard: workflows.card,
  sendToWorkflow: workflows.send,
  streamToWorkflow: workflows.stream,
  callWorkflow: workflows.call,
  callVersionedWorkflow: workflows.call,
  listWorkflowTasks: workflows.list,
  getWorkflowTask: workflows.get,
  cancelWorkflowTask: workflows.cancel,
  subscribeToWorkflowTask: workflows.subscribe,
  followWorkflowTask: workflows.subscribe,
  createWorkflowPushConfig: workflows.createPush,
  listWorkflowPushConfigs: workflows.listPush,
  getWorkflowPushConfig: workflows.getPush,
  removeWorkflowPushConfig: workflows.removePush,
  getExtendedWorkflowCard: workflows.card,
  getLegacyWorkflowCard: workflows.card,
  sendMessage: sendDeprecated,
  streamMessage: streamDeprecated,
};
