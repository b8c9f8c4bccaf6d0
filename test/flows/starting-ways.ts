import type { RunnableKind } from "../../shared/engine/define/runnable.ts";
import type { Answer, Client } from "../support/client.ts";
import type { Operation } from "./credential-matrix.ts";

export type Target = {
  readonly kind: RunnableKind;
  readonly id: string;
  readonly stored?: true;
  /** Scopes for what a stored one links, which its other writers need as well. */
  readonly links?: readonly string[];
};

/** What a way is tried with. */
export type Attempt = {
  readonly target: Target;
  readonly admin: Client;
  /** The same user with the scope to run the target. */
  readonly holder: Client;
  /** Ids of this attempt; its caller may run both, of every kind. */
  readonly own: string;
  readonly wrapper: string;
};

/** Prepares what it takes, and returns the request that would execute the target in the end. */
type Prepare = (attempt: Attempt) => Promise<Ask> | Ask;
type Ask = (client: Client) => Promise<Answer>;
export type Way = {
  readonly kinds: readonly RunnableKind[];
  readonly prepare: Prepare;
  /** Set where only what is stored can be asked for. */
  readonly stored?: true;
  /** Set where a refusal is an error within an answer of 200. */
  readonly refusesWithin?: true;
  /** Scopes that the caller holds in addition, unless they would be the one that is missing. */
  readonly also?: readonly string[];
};

/**
 * What an operation can do about executing something:
 *   ways       requests that start an execution, or store what will, by name
 *   nothing    it does not, although its handler imports what does; with the reason
 */
export type Starts = Readonly<Record<string, Way>> | { readonly nothing: string };

const all = ["agent", "team", "workflow"] as const;
const members = ["agent", "team"] as const;
const way = (prepare: Prepare, kinds: readonly RunnableKind[] = all): Way => ({ kinds, prepare });

const root = ({ kind, id }: Target) => `/${kind}s/${id}`;
const patch = (client: Client, path: string, json: object) => client.call("PATCH", path, { json });
const needed = async (made: Promise<Answer>) => {
  const answer = await made;
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return answer.json;
};

// Runs.

const message = "hello";
const started = (fields: Record<string, string>) =>
  way(
    ({ target }) =>
      (client) =>
        client.post(`${root(target)}/runs`, { form: { message, ...fields } }),
  );
const runsOf = (kind: RunnableKind): Readonly<Record<string, Way>> => ({
  waited: { ...started({ stream: "false" }), kinds: [kind] },
  streamed: { ...started({ stream: "true" }), kinds: [kind] },
  queued: { ...started({ stream: "false", background: "true" }), kinds: [kind] },
  "asked by a version": { ...started({ stream: "false", version: "1" }), kinds: [kind], stored: true },
});

/** Runs the target as a user who may; by this message an agent's run waits for a consent. */
const ranBefore = async ({ target, holder }: Attempt, text = message) =>
  needed(holder.post(`${root(target)}/runs`, { form: { message: text, stream: "false" } }));
const continued = (run: { run_id: string; session_id: string }, fields: object, { target }: Attempt): Ask => {
  const form = { session_id: run.session_id, stream: "false", ...fields };
  return (client) => client.post(`${root(target)}/runs/${run.run_id}/continue`, { form });
};
const confirmed = (list: readonly object[]) =>
  JSON.stringify(list.map((one) => ({ ...one, confirmed: true })));

const paused: Way = way(
  async (attempt) => {
    const run = await ranBefore(attempt, '[[tool:issue_refund {"order_id":"o-1","amount":5}]]');
    return continued(run, { tools: confirmed(run.tools) }, attempt);
  },
  ["agent"],
);
const completed = (fields: object, kind: RunnableKind): Way =>
  way(async (attempt) => continued(await ranBefore(attempt), fields, attempt), [kind]);
const again = (kind: RunnableKind) => ({
  "a completed run": completed({ input: "more" }, kind),
  "a fork of a run": completed({ fork: "true", input: "more" }, kind),
  "a regenerated answer": completed({ regenerate: "true" }, kind),
});
const pausedWorkflow = way(
  async (attempt) => {
    const run = await ranBefore(attempt);
    return continued(run, { step_requirements: confirmed(run.step_requirements) }, attempt);
  },
  ["workflow"],
);
const copied = (kind: RunnableKind) => ({
  "a copy of a session": way(
    async (attempt) => {
      const { session_id } = await ranBefore(attempt);
      return (client) => client.post(`${root(attempt.target)}/sessions/${session_id}/fork`);
    },
    [kind],
  ),
});
const said = (kind: RunnableKind) => ({
  "a message to a run that has ended": way(
    async (attempt) => {
      const { run_id, session_id, status } = await ranBefore(attempt);
      const run = `${root(attempt.target)}/runs/${run_id}`;
      if (status === "PAUSED") await needed(attempt.holder.post(`${run}/cancel?session_id=${session_id}`));
      const form = { session_id, message: "more" };
      return (client) => client.post(`${root(attempt.target)}/runs/${run_id}/messages`, { form });
    },
    [kind],
  ),
});
const runRecords = { nothing: "reads the record of a run, or ends it" };

// Components.

const stepTo = ({ kind, id }: Target) => ({ steps: [{ name: "s", [`${kind}_id`]: id }] });
const memberTo = ({ kind, id }: Target) => ({ members: [{ type: kind, [`${kind}_id`]: id }] });
const linkTo = ({ kind, id }: Target) => [
  { link_kind: `step_${kind}`, link_key: "s", child_component_id: id, child_version: 1 },
];
const published = { stage: "published" };
const stored = (component_type: string, component_id: string, fields: object) => ({
  ...{ name: component_id, component_type, component_id, ...fields },
});

const inStep = (path: string) =>
  way(({ target, own }) => (client) => {
    const json = stored("workflow", own, { config: stepTo(target), ...published });
    return client.post(path, { json });
  });
const inMember = (path: string) =>
  way(
    ({ target, own }) =>
      (client) =>
        client.post(path, { json: stored("team", own, { config: memberTo(target) }) }),
    members,
  );
const inLink = (type: RunnableKind, path: string) =>
  way(
    ({ target, own }) =>
      (client) =>
        client.post(path, { json: stored(type, own, { config: {}, links: linkTo(target) }) }),
  );
/** Around what an admin has stored: the caller may run the wrapper, and not what it holds. */
const throughStored = way(async ({ target, own, wrapper, admin }) => {
  const inner = stored("workflow", wrapper, { config: stepTo(target), ...published });
  await needed(admin.post("/components", { json: inner }));
  const config = stepTo({ kind: "workflow", id: wrapper });
  return (client) => client.post("/components", { json: stored("workflow", own, { config }) });
});

const plain = { steps: [{ name: "outline", executor_ref: "outline" }] };
/** A workflow of the caller's, published; and a second version by an admin, which links the target. */
const secondVersion = async ({ target, own, holder, admin }: Attempt, stage: string) => {
  await needed(
    holder.post("/components", { json: stored("workflow", own, { config: plain, ...published }) }),
  );
  const version = { config: stepTo(target), stage };
  await needed(admin.post(`/components/${own}/configs`, { json: version }));
  await needed(admin.post(`/components/${own}/configs/1/set-current`));
  return `/components/${own}`;
};
const onSecond = (stage: string, ask: (client: Client, path: string, own: string) => Promise<Answer>): Way =>
  way(async (attempt) => {
    const path = await secondVersion(attempt, stage);
    return (client) => ask(client, path, attempt.own);
  });
const changing = {
  "a draft of one's own": way(async ({ target, own, holder }) => {
    await needed(holder.post("/components", { json: stored("workflow", own, { config: plain }) }));
    return (client) => patch(client, `/components/${own}/configs/1`, { config: stepTo(target) });
  }),
  publishing: onSecond("draft", (client, path) => patch(client, `${path}/configs/2`, published)),
};
const liveByKind = (type: RunnableKind) => ({
  "naming the live version": way(
    async ({ target, own, holder, admin }) => {
      await needed(holder.post("/components", { json: stored(type, own, { config: {}, ...published }) }));
      const content =
        type === "agent" ? { config: {}, links: linkTo(target) } : { config: configOf(type, target) };
      await needed(admin.post(`/components/${own}/configs`, { json: { ...content, ...published } }));
      await needed(admin.post(`/components/${own}/configs/1/set-current`));
      return (client) => patch(client, `/${type}s/${own}`, { current_version: 2 });
    },
    type === "team" ? members : all,
  ),
});
const configOf = (type: RunnableKind, target: Target): object =>
  type === "team" ? memberTo(target) : stepTo(target);
const draftRun = (kind: RunnableKind): Readonly<Record<string, Way>> => ({
  "a draft that links it": way(
    async ({ target, own, holder, admin }) => {
      await needed(holder.post("/components", { json: stored(kind, own, { config: {} }) }));
      await needed(patch(admin, `/components/${own}/configs/1`, { config: configOf(kind, target) }));
      const form = { message, stream: "false", version: "1" };
      return (client) => client.post(`/${kind}s/${own}/runs`, { form });
    },
    kind === "team" ? members : all,
  ),
});
const archived = way(async (attempt) => {
  const path = await secondVersion(attempt, "published");
  await needed(attempt.admin.call("DELETE", path));
  return (client) => client.post(`${path}/restore`);
});

// Schedules and evaluations.

const schedule = ({ target, own }: Pick<Attempt, "target" | "own">) => ({
  ...{ name: own, cron_expr: "0 9 * * *", endpoint: `${root(target)}/runs`, payload: { message } },
});
const assistant: Target = { kind: "agent", id: "assistant" };
const scheduled = (
  ask: (client: Client, path: string, attempt: Attempt) => Promise<Answer>,
  ready: (holder: Client, path: string) => Promise<unknown> = async () => {},
): Way =>
  way(async (attempt) => {
    const { id } = await needed(attempt.holder.post("/schedules", { json: schedule(attempt) }));
    await ready(attempt.holder, `/schedules/${id}`);
    return (client) => ask(client, `/schedules/${id}`, attempt);
  });
const evaluatedDraft = way(async ({ target, own, holder, admin }) => {
  await needed(holder.post("/components", { json: stored("team", own, { config: {} }) }));
  await needed(patch(admin, `/components/${own}/configs/1`, { config: configOf("team", target) }));
  const json = { eval_type: "performance", team_id: own, version: 1, input: message, background: true };
  return (client) => client.post("/eval-runs", { json });
}, members);
const evaluated = way(
  ({ target }) =>
    (client) => {
      const json = { eval_type: "performance", [`${target.kind}_id`]: target.id, input: message };
      return client.post("/eval-runs", { json: { ...json, background: true } });
    },
  members,
);

// Other agents.

const a2a = (target: Target) => `/a2a${root(target)}`;
const envelopeOf = (method: string, more: object = {}) => ({
  jsonrpc: "2.0",
  id: "1",
  method,
  params: { message: { messageId: "m", role: "user", parts: [{ kind: "text", text: message }], ...more } },
});
const current = { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: message }] } };
const legacy = { message: { messageId: "m", role: "ROLE_USER", content: [{ text: message }] } };
const V1 = { "a2a-version": "1.0" };
const rest = (kind: RunnableKind, below: string, method: string) => {
  const at = (sent: object) =>
    way(
      ({ target }) =>
        (client) =>
          client.post(`${a2a(target)}${below}`, sent),
      [kind],
    );
  return {
    "the envelope": at({ json: envelopeOf(method) }),
    "version 1.0": at({ json: current, headers: V1 }),
    "version 0.3": at({ json: legacy }),
  };
};
const rpc = (kind: RunnableKind, below = "") => {
  const at = (json: object, headers = {}) =>
    way(
      ({ target }) =>
        (client) =>
          client.post(`${a2a(target)}${below}`, { json, headers }),
      [kind],
    );
  const v1 = (method: string) => at({ jsonrpc: "2.0", id: "1", method, params: current }, V1);
  return {
    SendMessage: v1("SendMessage"),
    SendStreamingMessage: v1("SendStreamingMessage"),
    "message/send": at(envelopeOf("message/send")),
    "message/stream": at(envelopeOf("message/stream")),
  };
};
/** The address of the envelope's stream takes the older calls as well. */
const olderCalls = (kind: RunnableKind) => ({
  "message/send at the stream": way(
    ({ target }) =>
      (client) =>
        client.post(`${a2a(target)}/v1/message:stream`, { json: envelopeOf("message/send") }),
    [kind],
  ),
});
const deprecated = (path: string, method: string): Readonly<Record<string, Way>> => ({
  "named in the body": {
    ...way(
      ({ target }) =>
        (client) =>
          client.post(path, { json: envelopeOf(method, { agentId: target.id }) }),
    ),
    also: ["agents:run"],
  },
  "named in a header": {
    ...way(({ target }) => (client) => {
      const headers = { "x-agent-id": target.id };
      return client.post(path, { json: envelopeOf(method), headers });
    }),
    also: ["agents:run"],
  },
});
// Front ends and MCP clients.

const agui = (kind: RunnableKind): Readonly<Record<string, Way>> => ({
  "a message": way(
    ({ target, own }) =>
      (client) => {
        const messages = [{ id: "m", role: "user", content: message }];
        return client.post(`${root(target)}/agui`, {
          json: { threadId: `agui-${own}`, runId: own, messages },
        });
      },
    [kind],
  ),
});
const uiChat = (kind: RunnableKind): Readonly<Record<string, Way>> => {
  const asking = (background: boolean) =>
    way(
      ({ target, own }) =>
        (client) => {
          const messages = [{ id: "m", role: "user", parts: [{ type: "text", text: message }] }];
          return client.post(`${root(target)}/chat`, { json: { id: `chat-${own}`, messages, background } });
        },
      [kind],
    );
  return { "waited for": asking(false), "in the background": asking(true) };
};
const chatCompletion: Way = {
  ...way(({ target: { kind, id } }) => (client) => {
    const messages = [{ role: "user", content: message }];
    return client.post("/v1/chat/completions", { json: { model: `${kind}:${id}`, messages } });
  }),
};
const openaiResponse = (background: boolean): Way => ({
  ...way(({ target: { kind, id } }) => (client) => {
    const json = { model: `${kind}:${id}`, input: message, background };
    return client.post("/v1/responses", { json });
  }),
});
const mcpTool: Way = {
  ...way(({ target: { kind, id } }) => (client) => {
    const params = { name: `run_${kind}`, arguments: { [`${kind}_id`]: id, message } };
    const headers = { accept: "application/json, text/event-stream" };
    return client.post("/mcp", { json: { jsonrpc: "2.0", id: 1, method: "tools/call", params }, headers });
  }),
  refusesWithin: true,
};
const interfaceIsThere = { nothing: "says that an interface is there, and whose tokens it takes" };
const chatRecords = { nothing: "shows a chat, follows its run or ends that" };
const taskRecords = { nothing: "reads a task, follows it or ends it" };
const pushConfigs = { nothing: "says where a client is notified of a task" };
const card = { nothing: "describes a component" };

const webhook = { nothing: "runs what the operator has named in the settings" };

/**
 * The operations whose handlers import what could start an execution. The test fails for one that is missing: say whether it
 * starts one, and by which requests.
 */
export const starting: Readonly<Partial<Record<Operation, Starts>>> = {
  listRuns: runRecords,
  createAgentRun: runsOf("agent"),
  runAgentAgui: agui("agent"),
  runTeamAgui: agui("team"),
  runWorkflowAgui: agui("workflow"),
  runAgui: { nothing: "does what the route of the component does that the operator has named" },
  getAguiStatus: interfaceIsThere,
  runAgentChat: uiChat("agent"),
  runTeamChat: uiChat("team"),
  runWorkflowChat: uiChat("workflow"),
  getAgentChat: chatRecords,
  getTeamChat: chatRecords,
  getWorkflowChat: chatRecords,
  followAgentChat: chatRecords,
  followTeamChat: chatRecords,
  followWorkflowChat: chatRecords,
  stopAgentChat: chatRecords,
  stopTeamChat: chatRecords,
  stopWorkflowChat: chatRecords,
  createChatCompletion: { "a message": chatCompletion },
  createOpenaiResponse: { "waited for": openaiResponse(false), "in the background": openaiResponse(true) },
  getOpenaiResponse: taskRecords,
  cancelOpenaiResponse: taskRecords,
  removeOpenaiResponse: taskRecords,
  listOpenaiInputItems: taskRecords,
  listOpenaiModels: card,
  getOpenaiModel: card,
  callMcp: { "a tool": mcpTool },
  getMcpServerCard: interfaceIsThere,
  getAiCatalog: interfaceIsThere,
  getMcpCatalog: interfaceIsThere,
  getMcpResource: interfaceIsThere,
  getMcpResourceOfPath: interfaceIsThere,
  createTeamRun: { ...runsOf("team"), ...draftRun("team") },
  createWorkflowRun: { ...runsOf("workflow"), ...draftRun("workflow") },
  continueAgentRun: { "a paused run": paused, ...again("agent") },
  continueTeamRun: again("team"),
  continueWorkflowRun: { "a paused run": pausedWorkflow },
  sendAgentMessage: said("agent"),
  sendTeamMessage: said("team"),
  sendWorkflowMessage: said("workflow"),
  listAgentMessages: runRecords,
  listTeamMessages: runRecords,
  listWorkflowMessages: runRecords,
  withdrawAgentMessage: runRecords,
  withdrawTeamMessage: runRecords,
  withdrawWorkflowMessage: runRecords,
  forkAgentSession: copied("agent"),
  compactAgentSession: {
    nothing: "has the model sum up what the caller has read and may run; it calls no tool",
  },
  forkTeamSession: copied("team"),
  resumeAgentRun: runRecords,
  resumeTeamRun: runRecords,
  resumeWorkflowRun: runRecords,
  cancelAgentRun: runRecords,
  cancelTeamRun: runRecords,
  cancelWorkflowRun: runRecords,
  getAgentRun: runRecords,
  getTeamRun: runRecords,
  getWorkflowRun: runRecords,
  listAgentRuns: runRecords,
  listTeamRuns: runRecords,
  listWorkflowRuns: runRecords,
  listAgentCheckpoints: runRecords,
  listTeamCheckpoints: runRecords,
  getAgentCheckpoint: runRecords,
  getTeamCheckpoint: runRecords,
  createComponent: {
    "a step": inStep("/components"),
    "a member": inMember("/components"),
    "a link": inLink("workflow", "/components"),
    "through a stored one": throughStored,
  },
  createAgent: { "a link": inLink("agent", "/agents") },
  createTeam: { "a member": inMember("/teams"), "a link": inLink("team", "/teams") },
  createWorkflow: { "a step": inStep("/workflows"), "a link": inLink("workflow", "/workflows") },
  createSkill: { nothing: "a skill is read, and starts nothing" },
  createConfigVersion: {
    "a version": way(async ({ target, own, holder }) => {
      await needed(holder.post("/components", { json: stored("workflow", own, { config: plain }) }));
      return (client) => client.post(`/components/${own}/configs`, { json: { config: stepTo(target) } });
    }),
  },
  updateConfigVersion: changing,
  setCurrentConfigVersion: {
    "a published version": onSecond("published", (client, path) =>
      client.post(`${path}/configs/2/set-current`),
    ),
  },
  updateComponent: {
    "naming the live version": onSecond("published", (client, path) =>
      patch(client, path, { current_version: 2 }),
    ),
  },
  updateAgent: liveByKind("agent"),
  updateTeam: liveByKind("team"),
  updateWorkflow: liveByKind("workflow"),
  updateSkill: { nothing: "a skill is read, and starts nothing" },
  restoreComponent: { "from the archive": archived },
  removeComponent: { nothing: "archives" },
  removeAgent: { nothing: "archives" },
  removeTeam: { nothing: "archives" },
  removeWorkflow: { nothing: "archives" },
  removeSkill: { nothing: "archives" },
  removeConfigVersion: { nothing: "deletes a draft" },
  createSchedule: {
    "of the target": way((attempt) => (client) => client.post("/schedules", { json: schedule(attempt) })),
  },
  updateSchedule: {
    "another endpoint": way(async (attempt) => {
      const json = schedule({ ...attempt, target: assistant });
      const { id } = await needed(attempt.holder.post("/schedules", { json }));
      return (client) => patch(client, `/schedules/${id}`, { endpoint: `${root(attempt.target)}/runs` });
    }),
    "another message": scheduled((client, path) => patch(client, path, { payload: { message: "pay" } })),
    "other times": scheduled((client, path) => patch(client, path, { cron_expr: "* * * * *" })),
  },
  enableSchedule: {
    "a disabled one": scheduled(
      (client, path) => client.post(`${path}/enable`),
      (holder, path) => needed(holder.post(`${path}/disable`)),
    ),
  },
  triggerSchedule: { "one of the caller's": scheduled((client, path) => client.post(`${path}/trigger`)) },
  disableSchedule: { nothing: "stops a schedule" },
  createEval: { "of the target": evaluated, "of a draft that links it": evaluatedDraft },
  sendToAgent: rest("agent", "/v1/message:send", "message/send"),
  sendToTeam: rest("team", "/v1/message:send", "message/send"),
  sendToWorkflow: rest("workflow", "/v1/message:send", "message/send"),
  streamToAgent: { ...rest("agent", "/v1/message:stream", "message/stream"), ...olderCalls("agent") },
  streamToTeam: { ...rest("team", "/v1/message:stream", "message/stream"), ...olderCalls("team") },
  streamToWorkflow: {
    ...rest("workflow", "/v1/message:stream", "message/stream"),
    ...olderCalls("workflow"),
  },
  callAgent: rpc("agent"),
  callTeam: rpc("team"),
  callWorkflow: rpc("workflow"),
  callVersionedAgent: rpc("agent", "/v1"),
  callVersionedTeam: rpc("team", "/v1"),
  callVersionedWorkflow: rpc("workflow", "/v1"),
  sendMessage: deprecated("/a2a/message/send", "message/send"),
  streamMessage: deprecated("/a2a/message/stream", "message/stream"),
  getHostCard: card,
  getCardKeys: card,
  listCards: card,
  getAgentCard: card,
  getTeamCard: card,
  getWorkflowCard: card,
  getExtendedAgentCard: card,
  getExtendedTeamCard: card,
  getExtendedWorkflowCard: card,
  getLegacyAgentCard: card,
  getLegacyTeamCard: card,
  getLegacyWorkflowCard: card,
  listAgentTasks: taskRecords,
  listTeamTasks: taskRecords,
  listWorkflowTasks: taskRecords,
  getAgentTask: taskRecords,
  getTeamTask: taskRecords,
  getWorkflowTask: taskRecords,
  cancelAgentTask: taskRecords,
  cancelTeamTask: taskRecords,
  cancelWorkflowTask: taskRecords,
  subscribeToAgentTask: taskRecords,
  subscribeToTeamTask: taskRecords,
  subscribeToWorkflowTask: taskRecords,
  followAgentTask: taskRecords,
  followTeamTask: taskRecords,
  followWorkflowTask: taskRecords,
  readAgentTask: taskRecords,
  readTeamTask: taskRecords,
  stopAgentTask: taskRecords,
  stopTeamTask: taskRecords,
  createAgentPushConfig: pushConfigs,
  createTeamPushConfig: pushConfigs,
  createWorkflowPushConfig: pushConfigs,
  listAgentPushConfigs: pushConfigs,
  listTeamPushConfigs: pushConfigs,
  listWorkflowPushConfigs: pushConfigs,
  getAgentPushConfig: pushConfigs,
  getTeamPushConfig: pushConfigs,
  getWorkflowPushConfig: pushConfigs,
  removeAgentPushConfig: pushConfigs,
  removeTeamPushConfig: pushConfigs,
  removeWorkflowPushConfig: pushConfigs,
  receiveWhatsappWebhook: webhook,
  receiveTelegramWebhook: webhook,
  receiveSlackEvent: webhook,
  receiveSlackInteraction: { nothing: "continues a run for the person who asked for it" },
  requeueJob: { nothing: "takes an admin, who may run everything" },
  cancelJobs: { nothing: "stops executions" },
  cancelRuns: { nothing: "stops executions" },
  requeueJobs: { nothing: "takes an admin, who may run everything" },
  resolveApproval: {
    nothing:
      "continues what its requester was allowed to start, in the requester's name and within those limits",
  },
  revokeServiceAccount: { nothing: "disables the schedules of the account" },
};
