import { jsonSchemaOf } from "../../shared/openapi/json-schema.ts";
import { families } from "../../shared/routes/index.ts";
import type { Route } from "../../shared/routes/route.ts";
import type { Answer, Client } from "../support/client.ts";
import type { Operation } from "./credential-matrix.ts";
import { chatWays } from "./guarded-chats.ts";
import { evaluationWays } from "./guarded-evaluations.ts";

type JsonSchema = ReturnType<typeof jsonSchemaOf>;

/** Sends words on one way to a guarded component, and returns everything that came back of it. */
export type GuardedWay = (client: Client, words: string) => Promise<string>;
/**
 * What becomes of what a field, or the whole body, of an operation says:
 *   a way     it reaches a model, and the guards before; both are tried
 *   kept      it is stored as what is known, such as a memory; it is no text that is said in a run
 *   nothing   it reaches no model
 */
export type Carries = GuardedWay | { readonly kept: string } | { readonly nothing: string };
type Fields = { readonly fields: Readonly<Record<string, Carries>> };
export type Carried = Carries | Fields;

const AGENT = "/agents/guarded";
const TEAM = "/teams/guarded-team";
/** Asks a person before its steps and after them. */
const FLOW = "/workflows/guarded-flow";
/** Asks nothing itself. */
const STEPS = "/workflows/guarded-steps";
const needed = async (made: Promise<Answer>) => {
  const answer = await made;
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
};
const textOf = async (made: Promise<Answer>) => (await needed(made)).text;
const run = (client: Client, path: string, form: Record<string, string>) =>
  needed(client.post(`${path}/runs`, { form: { message: "hello", stream: "false", ...form } }));
const tool = (name: string) => `[[tool:${name} {"words":"so far"}]]`;
const delegated = (task: string) =>
  `[[tool:delegate_task_to_member ${JSON.stringify({ member_id: "open", task })}]]`;

// Runs.

const field =
  (path: string, fields: (words: string) => Record<string, string>): GuardedWay =>
  async (client, words) =>
    (await run(client, path, fields(words))).text;
const nothing = (why: string) => ({ nothing: why });
const named = nothing("names something");
const seenOnly = nothing("a guard is shown texts");
const encoded = (words: string) => [
  { content: Buffer.from(words).toString("base64"), mime_type: "text/plain", filename: "a.txt" },
];

const runFields = (path: string): Carried => ({
  fields: {
    message: field(path, (message) => ({ message })),
    session_state: field(path, (words) => ({ session_state: JSON.stringify({ note: words }) })),
    dependencies: field(path, (words) => ({ dependencies: JSON.stringify({ note: words }) })),
    metadata: field(path, (words) => ({ metadata: JSON.stringify({ tenant: words }) })),
    output_schema:
      path === STEPS
        ? nothing("a workflow gives it to no step")
        : field(path, (words) => ({
            message: `[[answer:{"a":"b"}]]`,
            output_schema: JSON.stringify({ type: "object", description: words }),
          })),
    input_files: field(path, (words) => ({ input_files: JSON.stringify(encoded(words)) })),
    files: async (client, words) => {
      const form = new FormData();
      for (const [name, value] of [
        ["message", "hello"],
        ["stream", "false"],
      ] as const)
        form.append(name, value);
      form.append("files", new File([words], "a.txt", { type: "text/plain" }));
      return textOf(client.post(`${path}/runs`, { form }));
    },
    files_metadata: named,
    "images.filename": field(path, (words) => ({
      images: JSON.stringify([{ content: "AAAA", mime_type: "image/png", filename: words }]),
    })),
    images: seenOnly,
    audio: seenOnly,
    videos: seenOnly,
    session_id: named,
    session_policy: named,
    user_id: named,
    factory_input: nothing("is only checked"),
    use_json_schema: nothing("is without effect"),
    knowledge_filters: nothing("narrows a search down"),
    callback_url: named,
    callback_events: named,
    task_token: named,
    "*": nothing("tools and instructions of a function may read it"),
  },
});

// Continuations.

type Paused = { run_id: string; session_id: string; [more: string]: unknown };
const answered = (
  client: Client,
  path: string,
  { run_id, session_id }: Paused,
  form: Record<string, string>,
) =>
  textOf(client.post(`${path}/runs/${run_id}/continue`, { form: { session_id, stream: "false", ...form } }));

const callsOf = ({ tools }: Paused, answer: object) =>
  JSON.stringify((tools as object[]).map((call) => ({ ...call, ...answer })));
const requirementsOf = ({ requirements }: Paused, answer: object) =>
  JSON.stringify((requirements as object[]).map((one) => ({ ...one, ...answer })));
const stepsOf = ({ step_requirements }: Paused, answer: object) =>
  JSON.stringify((step_requirements as object[]).slice(-1).map((one) => ({ ...one, ...answer })));
const filled = (words: string) => ({ user_input_schema: [{ name: "words", value: words }] });
const chosen = (words: string) => ({
  user_feedback_schema: [{ question: "Which?", selected_options: [words] }],
});

const ofCalls =
  (path: string) =>
  (name: string, answer: (words: string) => object): GuardedWay =>
  async (client, words) => {
    const { json } = await run(client, path, { message: tool(name) });
    return answered(client, path, json, { tools: callsOf(json, answer(words)) });
  };
/** Of a team: what its leader asks, or what a member of it does. */
const ofRequirements =
  (of: "leader" | "member") =>
  (name: string, answer: (words: string, asked: Paused) => object): GuardedWay =>
  async (client, words) => {
    const message = of === "leader" ? tool(name) : delegated(tool(name));
    const { json } = await run(client, TEAM, { message });
    const asked = json.requirements[0];
    return answered(client, TEAM, json, { requirements: requirementsOf(json, answer(words, asked)) });
  };
const ofSteps =
  (...answers: readonly ((words: string) => object)[]): GuardedWay =>
  async (client, words) => {
    let { json } = await run(client, FLOW, { message: "hello" });
    let text = "";
    for (const answer of answers) {
      text = await answered(client, FLOW, json, { step_requirements: stepsOf(json, answer(words)) });
      json = JSON.parse(text);
    }
    return text;
  };
const begun = () => ({ user_input: { words: "x" } });
const ended =
  (path: string, form: (words: string) => Record<string, string>): GuardedWay =>
  async (client, words) => {
    const { json } = await run(client, path, {});
    return answered(client, path, json, form(words));
  };

const NOT_READ = nothing("must be what the run showed");
const onlyOf = (kind: string) => nothing(`is what a paused ${kind} asks`);
const ofEnded = (path: string): Readonly<Record<string, Carries>> => ({
  input: ended(path, (input) => ({ input })),
  "input of a fork": ended(path, (input) => ({ input, fork: "true" })),
  additional_instructions: ended(path, (words) => ({ regenerate: "true", additional_instructions: words })),
});
const ofTools = (path: string): Readonly<Record<string, Carries>> => {
  const way = ofCalls(path);
  return {
    "tools.tool_call_id": NOT_READ,
    "tools.tool_name": NOT_READ,
    "tools.tool_args": way("confirmed", (words) => ({ confirmed: true, tool_args: { words } })),
    "tools.*": NOT_READ,
    "tools.confirmation_note": way("confirmed", (confirmation_note) => ({
      confirmed: false,
      confirmation_note,
    })),
    "tools.user_input_schema": way("filled_in", filled),
    "tools.user_feedback_schema": way("asked", chosen),
    "tools.result": way("elsewhere", (result) => ({ result })),
  };
};
/** In the requirement itself, of the leader and of a member, and in the call that it is about. */
const ofTeam = (): Readonly<Record<string, Carries>> => {
  const [way, within] = [ofRequirements("leader"), ofRequirements("member")];
  const inCall =
    (answer: (words: string) => object) =>
    (words: string, { tool_execution }: Paused) => ({
      ...{ user_input_schema: null, user_feedback_schema: null },
      tool_execution: { ...(tool_execution as object), ...answer(words) },
    });
  const refusedWith = (confirmation_note: string) => ({ confirmation: false, confirmation_note });
  const resultOf = (words: string) => ({ external_execution_result: words });
  return {
    "requirements.id": NOT_READ,
    "requirements.member_run_id": NOT_READ,
    "requirements.*": NOT_READ,
    "requirements.confirmation_note": way("confirmed", refusedWith),
    "requirements.confirmation_note of a member": within("confirmed", refusedWith),
    "requirements.external_execution_result": way("elsewhere", resultOf),
    "requirements.external_execution_result of a member": within("elsewhere", resultOf),
    "requirements.user_input_schema": way("filled_in", filled),
    "requirements.user_input_schema of a member": within("filled_in", filled),
    "requirements.user_feedback_schema": way("asked", chosen),
    "requirements.user_feedback_schema of a member": within("asked", chosen),
    "requirements.tool_execution": way(
      "confirmed",
      inCall((confirmation_note) => ({ confirmed: false, confirmation_note })),
    ),
    "requirements.tool_execution, filled in": way("filled_in", inCall(filled)),
    "requirements.tool_execution, a choice": way("asked", inCall(chosen)),
    "requirements.tool_execution, a result": way(
      "elsewhere",
      inCall((result) => ({ result })),
    ),
    "requirements.tool_execution of a member": within(
      "elsewhere",
      inCall((result) => ({ result })),
    ),
  };
};
/** What an agent within a step asks. */
const ofExecutor =
  (name: string, answer: (words: string) => object): GuardedWay =>
  async (client, words) => {
    const { json } = await run(client, STEPS, { message: tool(name) });
    const [{ executor_requirements: asked }] = json.step_requirements;
    const executor_requirements = (asked as object[]).map((one) => ({ ...one, ...answer(words) }));
    return answered(client, STEPS, json, { step_requirements: stepsOf(json, { executor_requirements }) });
  };
const stepFields: Readonly<Record<string, Carries>> = {
  "step_requirements.step_id": NOT_READ,
  "step_requirements.user_input": ofSteps((words) => ({ user_input: { words } })),
  "step_requirements.user_input_schema": ofSteps(filled),
  "step_requirements.rejection_feedback": ofSteps(begun, (rejection_feedback) => ({
    confirmed: false,
    rejection_feedback,
  })),
  "step_requirements.edited_output": ofSteps(begun, (edited_output) => ({ confirmed: true, edited_output })),
  "step_requirements.selected_choices": nothing("names one of what is offered"),
  "step_requirements.executor_requirements": ofExecutor("confirmed", (confirmation_note) => ({
    confirmation: false,
    confirmation_note,
  })),
  "step_requirements.executor_requirements, filled in": ofExecutor("filled_in", filled),
  "step_requirements.executor_requirements, a choice": ofExecutor("asked", chosen),
  "step_requirements.executor_requirements, a result": ofExecutor("elsewhere", (words) => ({
    external_execution_result: words,
  })),
};
const idsOfRun = { session_id: named, user_id: named, continue_from: named, "*": nothing("is not read") };

// Approvals, protocols, schedules, evaluations.

/** By an approver, which continues the run. */
const resolved =
  (data: (words: string) => object): GuardedWay =>
  async (client, words) => {
    const { json } = await run(client, AGENT, { message: tool("approved") });
    const [call] = json.tools;
    const sent = { status: "approved", resolution_data: data(words) };
    await needed(client.post(`/approvals/${call.approval_id}/resolve`, { json: sent }));
    return answered(client, AGENT, json, {});
  };

const agui =
  (path: string, more: (words: string) => object): GuardedWay =>
  (client, words) => {
    const messages = [{ id: "m", role: "user", content: "hello" }];
    const json = { threadId: crypto.randomUUID(), runId: "r", messages, ...more(words) };
    return textOf(client.post(`${path}/agui`, { json }));
  };
const aguiFields = (path: string): Fields => ({
  fields: {
    "messages.content": agui(path, (content) => ({ messages: [{ id: "m", role: "user", content }] })),
    "messages of a tool": async (client, words) => {
      const threadId = crypto.randomUUID();
      const asked = [{ id: "m", role: "user", content: tool("elsewhere") }];
      const first = await textOf(
        client.post(`${path}/agui`, { json: { threadId, runId: "r", messages: asked } }),
      );
      const toolCallId = /"toolCallId":"([^"]+)"/.exec(first)?.[1];
      const messages = [...asked, { id: "n", role: "tool", toolCallId, content: words }];
      return textOf(client.post(`${path}/agui`, { json: { threadId, runId: "r2", messages } }));
    },
    state: agui(path, (words) => ({ state: { note: words } })),
    "tools.name": named,
    "tools.description": agui(path, (description) => ({ tools: [{ name: "open_gate", description }] })),
    "tools.parameters": agui(path, (description) => ({
      tools: [{ name: "open_gate", description: "Opens it.", parameters: { type: "object", description } }],
    })),
    context: agui(path, (value) => ({ context: [{ description: "note", value }] })),
    resume: async (client, words) => {
      const threadId = crypto.randomUUID();
      const messages = [{ id: "m", role: "user", content: tool("filled_in") }];
      const first = await textOf(client.post(`${path}/agui`, { json: { threadId, runId: "r", messages } }));
      const interruptId = /"interrupts":\[\{"id":"([^"]+)"/.exec(first)?.[1];
      const resume = [{ interruptId, status: "resolved", payload: { words } }];
      return textOf(client.post(`${path}/agui`, { json: { threadId, runId: "r2", messages, resume } }));
    },
    "messages.*": NOT_READ,
    "messages.id": named,
    "messages.role": named,
    "messages.toolCallId": named,
    "messages.error": NOT_READ,
    threadId: named,
    runId: named,
    protocolVersion: named,
    parentRunId: named,
    forwardedProps: nothing("is stored with the run"),
    "*": nothing("is not read"),
  },
});

const mcp =
  (name: string, args: (words: string) => object): GuardedWay =>
  (client, words) => {
    const params = { name, arguments: args(words) };
    const headers = { accept: "application/json, text/event-stream" };
    return textOf(
      client.post("/mcp", { json: { jsonrpc: "2.0", id: 1, method: "tools/call", params }, headers }),
    );
  };

const envelope = (words: string, method = "message/send") => ({
  ...{ jsonrpc: "2.0", id: "1", method },
  params: {
    message: { messageId: crypto.randomUUID(), role: "user", parts: [{ kind: "text", text: words }] },
  },
});
const a2a =
  (path: string): GuardedWay =>
  (client, words) =>
    textOf(client.post(`/a2a${path}`, { json: envelope(words) }));
const legacy =
  (path: string, method: string): GuardedWay =>
  (client, words) =>
    textOf(client.post(path, { json: envelope(words, method), headers: { "x-agent-id": "guarded" } }));

/** Until what it began has ended. */
async function ends(client: Client, path: string): Promise<string> {
  for (let tries = 0; tries < 300; tries += 1) {
    const { text } = await needed(client.get(path));
    if (/"status":"(ERROR|COMPLETED|PAUSED)"/.test(text)) return text;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${path} does not end`);
}
/** @param isChanged  whether a schedule says the words from its beginning, or after a change */
const scheduled =
  (isChanged: boolean): GuardedWay =>
  async (client, words) => {
    const name = crypto.randomUUID();
    const payload = { message: words, session_id: name };
    const first = isChanged ? { ...payload, message: "hello" } : payload;
    const json = { name, cron_expr: "0 9 * * *", endpoint: `${AGENT}/runs`, payload: first };
    const { id } = (await needed(client.post("/schedules", { json }))).json;
    if (isChanged) await needed(client.call("PATCH", `/schedules/${id}`, { json: { payload } }));
    await needed(client.post(`/schedules/${id}/trigger`));
    return ends(client, `${AGENT}/runs?session_id=${name}`);
  };

const notOfSteps = nothing("tools of a client are given to no step");
const noText = nothing("names what it is about");
const described = nothing("is what the component is, which its author may write");
const settings = nothing("is stored and shown");
const searched = nothing("is asked of an index, no model answers it");

/** Every operation that takes a body. The test fails for one that is missing, and for a field that is missing. */
export const guardedWays: Readonly<Partial<Record<Operation, Carried>>> = {
  createAgentRun: runFields(AGENT),
  createTeamRun: runFields(TEAM),
  createWorkflowRun: runFields(STEPS),
  continueAgentRun: {
    fields: {
      ...{ ...ofEnded(AGENT), ...ofTools(AGENT), ...idsOfRun },
      ...{ requirements: onlyOf("team"), step_requirements: onlyOf("workflow") },
    },
  },
  continueTeamRun: {
    fields: {
      ...{ ...ofEnded(TEAM), ...ofTeam(), ...idsOfRun },
      ...{ tools: onlyOf("agent"), step_requirements: onlyOf("workflow") },
    },
  },
  continueWorkflowRun: {
    fields: {
      ...{ ...stepFields, ...idsOfRun, tools: onlyOf("agent"), requirements: onlyOf("team") },
      ...{ input: onlyOf("run that is a conversation"), additional_instructions: onlyOf("conversation") },
    },
  },
  resumeAgentRun: noText,
  resumeTeamRun: noText,
  resumeWorkflowRun: noText,
  resolveApproval: {
    fields: {
      resolution_data: resolved((words) => ({ values: { words } })),
      edited_args: async (client, words) => {
        const { json } = await run(client, AGENT, { message: tool("editable") });
        const [call] = json.tools;
        const sent = { status: "approved", edited_args: { [call.tool_call_id]: { words } } };
        await needed(client.post(`/approvals/${call.approval_id}/resolve`, { json: sent }));
        return answered(client, AGENT, json, {});
      },
      "a note of a refusal": async (client, words) => {
        const { json } = await run(client, AGENT, { message: tool("approved") });
        const refusal = { status: "rejected", resolution_data: { note: words } };
        await needed(client.post(`/approvals/${json.tools[0].approval_id}/resolve`, { json: refusal }));
        return answered(client, AGENT, json, {});
      },
      resolved_by: nothing("is not read"),
    },
  },
  runAgui: aguiFields(""),
  runAgentAgui: aguiFields(AGENT),
  runTeamAgui: aguiFields(TEAM),
  runWorkflowAgui: {
    fields: {
      ...aguiFields(STEPS).fields,
      ...{ "tools.description": notOfSteps, "tools.parameters": notOfSteps },
      "messages of a tool": nothing("what a step waits for is answered by resume"),
    },
  },
  callMcp: {
    fields: {
      run_agent: mcp("run_agent", (message) => ({ agent_id: "guarded", message })),
      run_team: mcp("run_team", (message) => ({ team_id: "guarded-team", message })),
      run_workflow: mcp("run_workflow", (message) => ({ workflow_id: "guarded-steps", message })),
    },
  },
  sendToAgent: a2a(`${AGENT}/v1/message:send`),
  streamToAgent: a2a(`${AGENT}/v1/message:stream`),
  callAgent: a2a(AGENT),
  callVersionedAgent: a2a(`${AGENT}/v1`),
  sendToTeam: a2a(`${TEAM}/v1/message:send`),
  streamToTeam: a2a(`${TEAM}/v1/message:stream`),
  callTeam: a2a(TEAM),
  callVersionedTeam: a2a(`${TEAM}/v1`),
  sendToWorkflow: a2a(`${STEPS}/v1/message:send`),
  streamToWorkflow: a2a(`${STEPS}/v1/message:stream`),
  callWorkflow: a2a(STEPS),
  callVersionedWorkflow: a2a(`${STEPS}/v1`),
  sendMessage: legacy("/a2a/message/send", "message/send"),
  streamMessage: legacy("/a2a/message/stream", "message/stream"),
  cancelAgentTask: noText,
  cancelTeamTask: noText,
  cancelWorkflowTask: noText,
  subscribeToAgentTask: noText,
  subscribeToTeamTask: noText,
  subscribeToWorkflowTask: noText,
  createAgentPushConfig: noText,
  createTeamPushConfig: noText,
  createWorkflowPushConfig: noText,
  readAgentTask: noText,
  readTeamTask: noText,
  stopAgentTask: noText,
  stopTeamTask: noText,
  createSchedule: scheduled(false),
  updateSchedule: scheduled(true),
  createEval: evaluationWays.createEval,
  updateEval: settings,
  removeEvals: noText,
  createDataset: evaluationWays.createDataset,
  createDatasetVersion: evaluationWays.createDatasetVersion,
  receiveWhatsappWebhook: chatWays.receiveWhatsappWebhook,
  receiveTelegramWebhook: chatWays.receiveTelegramWebhook,
  receiveSlackEvent: chatWays.receiveSlackEvent,
  receiveSlackInteraction: nothing("presses a button that was drawn here, which names a choice"),
  createSession: { kept: "the state of a session, which a guard is shown when it is put into a prompt" },
  updateSession: { kept: "the state, and a summary that stands for what was said" },
  renameSession: settings,
  removeSessions: noText,
  createMemory: { kept: "what is known of the user" },
  updateMemory: { kept: "what is known of the user" },
  removeMemories: noText,
  optimizeMemories: noText,
  createLearning: { kept: "what was learned" },
  updateLearning: { kept: "what was learned" },
  addContent: { kept: "what a knowledge base has" },
  addRemoteContent: { kept: "what a knowledge base has" },
  updateContent: { kept: "what a knowledge base has" },
  createUploadUrl: noText,
  searchKnowledge: searched,
  createComponent: described,
  updateComponent: described,
  removeComponent: noText,
  createConfigVersion: described,
  updateConfigVersion: described,
  setCurrentConfigVersion: noText,
  createAgent: described,
  updateAgent: described,
  removeAgent: noText,
  createTeam: described,
  updateTeam: described,
  removeTeam: noText,
  createWorkflow: described,
  updateWorkflow: described,
  removeWorkflow: noText,
  cancelJobs: noText,
  requeueJobs: { nothing: "repeats what was accepted, from its beginning: its guards are asked again" },
  mintServiceAccount: settings,
  migrateAllDatabases: noText,
  migrateDatabase: noText,
  searchTraces: noText,
  createWebhookEndpoint: settings,
  updateWebhookEndpoint: settings,
  rotateWebhookSecret: noText,
  rotateCallbackSecret: noText,
};

/** The operations that take a body, each with the fields of it that could carry a text. */
export const bodies = (): (readonly [Operation, readonly string[]])[] =>
  Object.values(families).flatMap((table: Readonly<Record<string, Route>>) =>
    Object.entries(table).flatMap(([operation, { body }]) =>
      body ? [[operation as Operation, carriers(schemaOf(body))] as const] : [],
    ),
  );

function schemaOf(body: NonNullable<Route["body"]>): JsonSchema {
  const schema = "json" in body ? body.json : "form" in body ? body.form : body.reads;
  return schema ? jsonSchemaOf(schema) : {};
}

const wordless = new Set(["boolean", "integer", "number"]);

/** Names of what may be text, those within a list of objects after a point; `*` for what has no name. */
function carriers(schema: JsonSchema, before = ""): string[] {
  const { properties = {}, additionalProperties } = schema as {
    properties?: Record<string, JsonSchema>;
    additionalProperties?: unknown;
  };
  const named = Object.entries(properties).flatMap(([name, of]) => {
    const items = before === "" ? listed(of) : undefined;
    if (items) return carriers(items, `${name}.`);
    return isWordless(of) ? [] : [`${before}${name}`];
  });
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  return [...named, ...(isOpen ? [`${before}*`] : [])];
}

/** The members of a list of objects, also where the list is JSON within a text. */
function listed(schema: JsonSchema): JsonSchema | undefined {
  const {
    contentSchema,
    items,
    anyOf = [],
  } = schema as {
    contentSchema?: JsonSchema;
    items?: JsonSchema;
    anyOf?: JsonSchema[];
  };
  const within = contentSchema ?? anyOf.find((one) => "items" in one);
  if (within) return listed(within);
  return items && "properties" in items ? items : undefined;
}

function isWordless(schema: JsonSchema): boolean {
  const { type, anyOf, enum: values, const: value } = schema as Record<string, unknown>;
  if (Array.isArray(anyOf)) return anyOf.every((one) => isWordless(one) || one.type === "null");
  return values !== undefined || value !== undefined || (typeof type === "string" && wordless.has(type));
}
