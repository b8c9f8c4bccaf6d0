import type { a2aRoutes } from "../../shared/routes/protocols/a2a.ts";
import type { Client } from "../support/client.ts";
import type { Asked, Subject } from "./credential-matrix.ts";

const components = { agent: "assistant", team: "support-team", workflow: "publish-report" } as const;
type Kind = keyof typeof components;

const rootOf = (kind: Kind): string => `/a2a/${kind}s/${components[kind]}`;

type Task = { readonly id: string; readonly contextId: string };

const someTask = async (owner: Client, kind: Kind, text = "mine alone"): Promise<Task> => {
  const message = { messageId: "mine", role: "ROLE_USER", parts: [{ text }] };
  const { json } = await owner.post(`${rootOf(kind)}/v1/message:send`, {
    json: { message, configuration: { returnImmediately: true } },
    headers: { "a2a-version": "1.0" },
  });
  return json.task;
};

/** Long enough for two strangers to ask in vain. */
const LIVE = "[[sleep:1500]] mine alone";

const below = (kind: Kind) => async (owner: Client) =>
  `${rootOf(kind)}/v1/tasks/${(await someTask(owner, kind)).id}`;

const ofLive = (kind: Kind, verb: string) => async (owner: Client) =>
  `${rootOf(kind)}/v1/tasks/${(await someTask(owner, kind, LIVE)).id}:${verb}`;

const RECEIVER = { id: "mine-alone", url: "https://client.example.com/tasks", token: "mine alone" };

/** Where a client is notified of a task. @param id  of one that is set before it is asked for */
const pushed =
  (kind: Kind, id?: string) =>
  async (owner: Client): Promise<string> => {
    const path = `${await below(kind)(owner)}/pushNotificationConfigs`;
    await owner.post(path, { json: RECEIVER });
    return id === undefined ? path : `${path}/${id}`;
  };

const pushing =
  (kind: Kind) =>
  async (owner: Client): Promise<Asked> => ({ path: await pushed(kind)(owner), sent: { json: RECEIVER } });

const byEnvelope =
  (kind: Kind, verb: string) =>
  async (owner: Client): Promise<Asked> => {
    const { id, contextId } = await someTask(owner, kind);
    return { path: `${rootOf(kind)}/v1/tasks:${verb}`, sent: { json: { params: { id, contextId } } } };
  };

/** What the routes for other agents are about. */
export const a2aSubjects: Readonly<Record<keyof typeof a2aRoutes, Subject>> = {
  getHostCard: "public",
  getCardKeys: "public",
  listCards: "shared",
  getAgentCard: "shared",
  sendToAgent: "own",
  streamToAgent: "own",
  callAgent: "own",
  callVersionedAgent: "own",
  listAgentTasks: "own",
  getAgentTask: below("agent"),
  cancelAgentTask: ofLive("agent", "cancel"),
  subscribeToAgentTask: ofLive("agent", "subscribe"),
  followAgentTask: ofLive("agent", "subscribe"),
  createAgentPushConfig: pushing("agent"),
  listAgentPushConfigs: pushed("agent"),
  getAgentPushConfig: pushed("agent", RECEIVER.id),
  removeAgentPushConfig: pushed("agent", RECEIVER.id),
  getExtendedAgentCard: "shared",
  getLegacyAgentCard: "shared",
  readAgentTask: byEnvelope("agent", "get"),
  stopAgentTask: byEnvelope("agent", "cancel"),
  getTeamCard: "shared",
  sendToTeam: "own",
  streamToTeam: "own",
  callTeam: "own",
  callVersionedTeam: "own",
  listTeamTasks: "own",
  getTeamTask: below("team"),
  cancelTeamTask: ofLive("team", "cancel"),
  subscribeToTeamTask: ofLive("team", "subscribe"),
  followTeamTask: ofLive("team", "subscribe"),
  createTeamPushConfig: pushing("team"),
  listTeamPushConfigs: pushed("team"),
  getTeamPushConfig: pushed("team", RECEIVER.id),
  removeTeamPushConfig: pushed("team", RECEIVER.id),
  getExtendedTeamCard: "shared",
  getLegacyTeamCard: "shared",
  readTeamTask: byEnvelope("team", "get"),
  stopTeamTask: byEnvelope("team", "cancel"),
  getWorkflowCard: "shared",
  sendToWorkflow: "own",
  streamToWorkflow: "own",
  callWorkflow: "own",
  callVersionedWorkflow: "own",
  listWorkflowTasks: "own",
  getWorkflowTask: below("workflow"),
  cancelWorkflowTask: ofLive("workflow", "cancel"),
  // The demo's workflow waits for consent, and whoever follows it waits as well.
  subscribeToWorkflowTask: "own",
  followWorkflowTask: "own",
  createWorkflowPushConfig: pushing("workflow"),
  listWorkflowPushConfigs: pushed("workflow"),
  getWorkflowPushConfig: pushed("workflow", RECEIVER.id),
  removeWorkflowPushConfig: pushed("workflow", RECEIVER.id),
  getExtendedWorkflowCard: "shared",
  getLegacyWorkflowCard: "shared",
  sendMessage: "own",
  streamMessage: "own",
};
