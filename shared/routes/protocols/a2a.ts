import * as v from "valibot";
import { A2aAnswer, A2aRefusal, AgentCardAnswer, CardKeySet } from "../../schemas/a2a/a2a-answers.ts";
import { MessageEnvelope, TaskEnvelope } from "../../schemas/a2a/a2a-envelope.ts";
import { A2aCall, A2aMessage, A2aPushConfig, A2aTaskRequest } from "../../schemas/a2a/a2a-requests.ts";
import { describedAs, meaning } from "../../schemas/values/described-as.ts";
import { idEntry, idOf } from "../../schemas/values/path-ids.ts";
import type { RouteTable, Schema } from "../route.ts";
import { A2A_PREFIX } from "./a2a-prefix.ts";

/** The states that a task of a run can be in, as version 1.0 writes them. */
const taskStates = [
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_REJECTED",
  "TASK_STATE_AUTH_REQUIRED",
];

type Plural = "agents" | "teams" | "workflows";
type Noun = "agent" | "team" | "workflow";
type Prefix = `/${string}`;

/** Every dialect has bodies and refusals of its own, so a handler gets the body as it came. */
const reading = <S extends Schema>(reads: S) => ({ text: "application/json", reads }) as const;

/** Further digits after the second number change nothing. */
const versionSchema = { type: "string", pattern: "^(1\\.0|0\\.3)(\\.[0-9]+)*$" };

/** Handlers validate it all, because every version has its own form of refusals. */
const VersionQuery = v.object({
  "A2A-Version": meaning(
    v.optional(describedAs(v.string(), versionSchema)),
    "The header of that name, for clients that cannot send it",
  ),
});
const historyLength = meaning(
  v.optional(describedAs(v.string(), { type: "integer", minimum: 0 })),
  "How many messages of the history are shown, the latest",
);
/** Only what shows a task by itself shows its history. */
const TaskQuery = v.object({ ...VersionQuery.entries, historyLength });
const ListQuery = v.object({
  ...TaskQuery.entries,
  contextId: meaning(v.optional(v.string()), "Only tasks of this context, which is a session"),
  status: meaning(
    v.optional(describedAs(v.string(), { type: "string", enum: taskStates })),
    "Only tasks in this state",
  ),
  pageSize: meaning(
    v.optional(describedAs(v.string(), { type: "integer", minimum: 1, maximum: 100 })),
    "Tasks of a page",
  ),
  pageToken: meaning(v.optional(v.string()), "nextPageToken of the page before; none for the first"),
  statusTimestampAfter: meaning(
    v.optional(describedAs(v.string(), { type: "string", format: "date-time" })),
    "Only tasks that changed after this time",
  ),
  includeArtifacts: meaning(
    v.optional(describedAs(v.string(), { type: "boolean" })),
    "Whether the artifacts of the tasks are shown",
  ),
});

/** A task is a run, so it is refused with the statuses of a run, and with the protocol's error bodies. */
const refusing = { refuses: [400, 404, 409, 415, 422, 503], refusal: A2aRefusal } as const;

const versioned = {
  "A2A-Version": {
    description: "Version of the protocol; 0.3 where none is named",
    schema: versionSchema,
    example: "1.0",
  },
};

/** A message of version 1.0, as an example. */
const message = {
  message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "Where is my order?" }] },
} as const;
const inVersion1 = { "A2A-Version": "1.0" };

/** Routes of all three kinds. */
const rowsOf = <P extends Plural, N extends Noun>(prefix: Prefix, plural: P, noun: N) => {
  const root = `${prefix}/${plural}/{${noun}_id}` as const;
  const task = `${root}/v1/tasks/{task_id}` as const;
  const read = [`${plural}:read`] as const;
  const run = [`${plural}:run`] as const;
  const params = v.object(idEntry(noun));
  const taskParams = v.object({ ...idEntry(noun), task_id: idOf("the task, which is that of its run") });
  const configParams = v.object({ ...taskParams.entries, config_id: idOf("the configuration") });
  const of = {
    ...{ params, query: VersionQuery, headers: versioned, response: A2aAnswer, ...refusing },
    example: { query: inVersion1 },
  } as const;
  const sending = { example: { query: inVersion1, body: message } } as const;
  const calling = {
    example: { query: inVersion1, body: { jsonrpc: "2.0", id: 1, method: "SendMessage", params: message } },
  } as const;
  const ofTask = { ...of, params: taskParams } as const;
  const push = { ...ofTask, scopes: run } as const;
  const pushConfigs = `${task}/pushNotificationConfigs` as const;
  const card = {
    scopes: read,
    response: AgentCardAnswer,
    also: { 304: null },
    headers: {
      ...versioned,
      "If-None-Match": { description: "The etag of the card that is known", example: '"6f1c0a"' },
    },
  } as const;
  return {
    card: {
      ...of,
      method: "GET",
      path: `${root}/.well-known/agent-card.json`,
      ...card,
      summary: `Show the card by which other agents know this ${noun}`,
    },
    send: {
      ...of,
      method: "POST",
      path: `${root}/v1/message:send`,
      scopes: run,
      body: reading(A2aMessage),
      ...sending,
      also: { 202: A2aAnswer },
      summary: `Send this ${noun} a message and wait for the task that it becomes`,
    },
    stream: {
      ...of,
      method: "POST",
      path: `${root}/v1/message:stream`,
      scopes: run,
      streams: "task",
      body: reading(A2aMessage),
      ...sending,
      summary: `Send this ${noun} a message and follow the task that it becomes`,
    },
    /** The handler requires the scope of the method that is called. */
    call: {
      ...of,
      method: "POST",
      path: root,
      scopes: [],
      streams: "task",
      body: reading(A2aCall),
      ...calling,
      summary: `Call a method of the agent-to-agent protocol (JSON-RPC) on this ${noun}`,
    },
    callVersioned: {
      ...of,
      method: "POST",
      path: `${root}/v1`,
      scopes: [],
      streams: "task",
      body: reading(A2aCall),
      ...calling,
      summary: "The same, for clients that append the version",
    },
    listTasks: {
      ...of,
      method: "GET",
      path: `${root}/v1/tasks`,
      scopes: read,
      query: ListQuery,
      example: { query: { ...inVersion1, pageSize: 20 } },
      summary: `List the tasks of this ${noun}, the latest change first`,
    },
    getTask: {
      ...ofTask,
      method: "GET",
      path: task,
      scopes: read,
      query: TaskQuery,
      summary: "Show one task",
    },
    cancelTask: {
      ...ofTask,
      method: "POST",
      path: `${task}:cancel`,
      scopes: run,
      body: reading(A2aTaskRequest),
      summary: "Cancel a task",
    },
    subscribe: {
      ...ofTask,
      method: "POST",
      path: `${task}:subscribe`,
      scopes: read,
      streams: "task",
      body: reading(A2aTaskRequest),
      summary: "Follow a task until it ends",
    },
    follow: {
      ...ofTask,
      method: "GET",
      path: `${task}:subscribe`,
      scopes: read,
      streams: "task",
      summary: "The same, for clients that ask by GET",
    },
    createPush: {
      ...push,
      method: "POST",
      path: pushConfigs,
      body: reading(A2aPushConfig),
      example: {
        query: inVersion1,
        body: {
          ...{ id: "erp", url: "https://erp.example/hooks/tasks", token: "t-4711" },
          authentication: { scheme: "Bearer", credentials: "key-of-the-receiver" },
        },
      },
      summary: "Set where the client is notified when a task ends or pauses",
    },
    listPush: {
      ...push,
      method: "GET",
      path: pushConfigs,
      summary: "List where the client is notified of a task",
    },
    getPush: {
      ...push,
      method: "GET",
      path: `${pushConfigs}/{config_id}`,
      params: configParams,
      summary: "Show one place where the client is notified of a task",
    },
    removePush: {
      ...push,
      method: "DELETE",
      path: `${pushConfigs}/{config_id}`,
      params: configParams,
      summary: "Stop notifying the client of a task at one place",
    },
    extendedCard: {
      ...of,
      method: "GET",
      path: `${root}/v1/extendedAgentCard`,
      ...card,
      summary: `Show the same card, by the method for callers with a credential`,
    },
    legacyCard: {
      ...of,
      method: "GET",
      path: `${root}/v1/card`,
      ...card,
      summary: "The same, in version 0.3",
    },
  } as const;
};

/** Routes that the first dialect has for agents and teams only. @source docs/interface/a2a.md 1.1 */
const envelopeRowsOf = <P extends Plural, N extends Noun>(prefix: Prefix, plural: P, noun: N) => {
  const v1 = `${prefix}/${plural}/{${noun}_id}/v1` as const;
  const of = {
    params: v.object(idEntry(noun)),
    body: reading(TaskEnvelope),
    response: A2aAnswer,
    strangers: 404,
    ...refusing,
  } as const;
  return {
    readTask: {
      ...of,
      method: "POST",
      path: `${v1}/tasks:get`,
      scopes: [`${plural}:read`] as const,
      summary: "Poll one task",
    },
    stopTask: {
      ...of,
      method: "POST",
      path: `${v1}/tasks:cancel`,
      scopes: [`${plural}:run`] as const,
      summary: "Cancel a task, in the older dialect",
    },
  } as const;
};

/** The target is in the body or a header; the handler requires the scope of its kind. */
const deprecatedRows = (prefix: Prefix) => {
  const asking = (method: string) =>
    ({
      example: {
        body: {
          ...{ jsonrpc: "2.0", id: "1", method },
          params: {
            message: {
              ...{ messageId: "m-1", role: "user", parts: [{ kind: "text", text: "Where is my order?" }] },
              agentId: "assistant",
            },
          },
        },
      },
    }) as const;
  const headers = {
    "X-Agent-ID": {
      description: "Whom the message is for, where its body does not say",
      example: "assistant",
    },
  };
  const of = {
    method: "POST",
    scopes: ["agents:run"],
    headers,
    body: reading(MessageEnvelope),
    response: A2aAnswer,
    ...refusing,
  } as const;
  return {
    sendMessage: {
      ...of,
      path: `${prefix}/message/send`,
      ...asking("message/send"),
      also: { 202: A2aAnswer },
      summary: "Deprecated: send a message to the agent, team or workflow that it names",
    },
    streamMessage: {
      ...of,
      path: `${prefix}/message/stream`,
      ...asking("message/stream"),
      streams: "task",
      summary: "Deprecated: the same, with the task's progress",
    },
  } as const;
};

/** What is not about one component. */
const cardRows = (prefix: Prefix) =>
  ({
    getHostCard: {
      method: "GET",
      path: "/.well-known/agent-card.json",
      scopes: "public",
      query: VersionQuery,
      response: AgentCardAnswer,
      also: { 304: null },
      refuses: [404],
      summary: "Show the card of the component that stands for the whole service, where one does",
    },
    getCardKeys: {
      method: "GET",
      path: "/.well-known/jwks.json",
      scopes: "public",
      response: CardKeySet,
      refuses: [404],
      summary:
        "Show the public keys by which the signatures of agent cards are checked, where cards are signed",
    },
    /** Each card is shown to whoever may read its component. */
    listCards: {
      method: "GET",
      path: `${prefix}/cards`,
      scopes: [],
      query: VersionQuery,
      headers: versioned,
      response: v.object({ cards: v.array(AgentCardAnswer) }),
      summary: "List the cards of all agents, teams and workflows that the caller may read",
    },
  }) as const;

/**
 * The routes of the agent-to-agent interface below a prefix.
 *
 * @source docs/interface/a2a.md 1.1
 */
export function a2aRoutesAt(prefix: Prefix) {
  const agents = { ...rowsOf(prefix, "agents", "agent"), ...envelopeRowsOf(prefix, "agents", "agent") };
  const teams = { ...rowsOf(prefix, "teams", "team"), ...envelopeRowsOf(prefix, "teams", "team") };
  const workflows = rowsOf(prefix, "workflows", "workflow");
  const deprecated = deprecatedRows(prefix);
  return {
    ...cardRows(prefix),
    getAgentCard: agents.card,
    sendToAgent: agents.send,
    streamToAgent: agents.stream,
    callAgent: agents.call,
    callVersionedAgent: agents.callVersioned,
    listAgentTasks: agents.listTasks,
    getAgentTask: agents.getTask,
    cancelAgentTask: agents.cancelTask,
    subscribeToAgentTask: agents.subscribe,
    followAgentTask: agents.follow,
    createAgentPushConfig: agents.createPush,
    listAgentPushConfigs: agents.listPush,
    getAgentPushConfig: agents.getPush,
    removeAgentPushConfig: agents.removePush,
    getExtendedAgentCard: agents.extendedCard,
    getLegacyAgentCard: agents.legacyCard,
    readAgentTask: agents.readTask,
    stopAgentTask: agents.stopTask,
    getTeamCard: teams.card,
    sendToTeam: teams.send,
    streamToTeam: teams.stream,
    callTeam: teams.call,
    callVersionedTeam: teams.callVersioned,
    listTeamTasks: teams.listTasks,
    getTeamTask: teams.getTask,
    cancelTeamTask: teams.cancelTask,
    subscribeToTeamTask: teams.subscribe,
    followTeamTask: teams.follow,
    createTeamPushConfig: teams.createPush,
    listTeamPushConfigs: teams.listPush,
    getTeamPushConfig: teams.getPush,
    removeTeamPushConfig: teams.removePush,
    getExtendedTeamCard: teams.extendedCard,
    getLegacyTeamCard: teams.legacyCard,
    readTeamTask: teams.readTask,
    stopTeamTask: teams.stopTask,
    getWorkflowCard: workflows.card,
    sendToWorkflow: workflows.send,
    streamToWorkflow: workflows.stream,
    callWorkflow: workflows.call,
    callVersionedWorkflow: workflows.callVersioned,
    listWorkflowTasks: workflows.listTasks,
    getWorkflowTask: workflows.getTask,
    cancelWorkflowTask: workflows.cancelTask,
    subscribeToWorkflowTask: workflows.subscribe,
    followWorkflowTask: workflows.follow,
    createWorkflowPushConfig: workflows.createPush,
    listWorkflowPushConfigs: workflows.listPush,
    getWorkflowPushConfig: workflows.getPush,
    removeWorkflowPushConfig: workflows.removePush,
    getExtendedWorkflowCard: workflows.extendedCard,
    getLegacyWorkflowCard: workflows.legacyCard,
    sendMessage: deprecated.sendMessage,
    streamMessage: deprecated.streamMessage,
  } as const satisfies RouteTable;
}

export const a2aRoutes = a2aRoutesAt(A2A_PREFIX);
