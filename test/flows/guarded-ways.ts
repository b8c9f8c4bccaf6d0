import { jsonSchemaOf } from "../../shared/openapi/json-schema.ts";
import { families } from "../../shared/routes/index.ts";
import type { Route } from "../../shared/routes/route.ts";
import type { Client } from "../support/client.ts";
import type { Operation } from "./credential-matrix.ts";
import { chatWays } from "./guarded/chats.ts";
import { idsOfRun, ofEnded, ofTeam, ofTools, onlyOf, stepFields } from "./guarded/continuations.ts";
import { evaluationWays } from "./guarded/evaluations.ts";
import { messageFields } from "./guarded/messages.ts";
import { chatFields, responseFields } from "./guarded/openai.ts";
import { a2a, aguiFields, legacy, mcp } from "./guarded/protocols.ts";
import { uiChatFields } from "./guarded/ui-chat.ts";
import {
  AGENT,
  answered,
  type Carried,
  field,
  type GuardedWay,
  named,
  needed,
  nothing,
  run,
  STEPS,
  seenOnly,
  TEAM,
  textOf,
  tool,
} from "./guarded/way.ts";

type JsonSchema = ReturnType<typeof jsonSchemaOf>;

const encoded = (words: string) => [
  { content: Buffer.from(words).toString("base64"), mime_type: "text/plain", filename: "a.txt" },
];

const runFields = (path: string): Carried => ({
  fields: {
    message: field(path, (message) => ({ message })),
    draft_config: described,
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
    feedback_keys: named,
    "*": nothing("tools and instructions of a function may read it"),
  },
});

// Approvals and schedules.

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
  sendAgentMessage: messageFields(AGENT),
  sendTeamMessage: messageFields(TEAM),
  sendWorkflowMessage: messageFields(STEPS),
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
  runAgentChat: uiChatFields(AGENT),
  runTeamChat: uiChatFields(TEAM),
  runWorkflowChat: {
    fields: {
      ...uiChatFields(STEPS).fields,
      ...{ "tools.description": notOfSteps, "tools.parameters": notOfSteps },
      "messages.parts of a tool": nothing("what a step waits for is no tool of the client"),
    },
  },
  createChatCompletion: chatFields,
  createOpenaiResponse: responseFields,
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
  createFeedbackLinks: noText,
  submitFeedback: { kept: "what a user says about a run" },
  giveFeedback: { kept: "what a user says about a run" },
  reviewFeedback: noText,
  removeEvals: noText,
  createDataset: evaluationWays.createDataset,
  createDatasetVersion: evaluationWays.createDatasetVersion,
  addDatasetCases: nothing("copies what was said in runs, which their guards were shown"),
  changeDatasetCases: evaluationWays.changeDatasetCases,
  receiveWhatsappWebhook: chatWays.receiveWhatsappWebhook,
  receiveTelegramWebhook: chatWays.receiveTelegramWebhook,
  receiveSlackEvent: chatWays.receiveSlackEvent,
  receiveSlackInteraction: nothing("presses a button that was drawn here, which names a choice"),
  createSession: { kept: "the state of a session, which a guard is shown when it is put into a prompt" },
  updateSession: { kept: "the state, and a summary that stands for what was said" },
  renameSession: settings,
  removeSessions: noText,
  saveView: { kept: "an address of the console, under a name" },
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
  createSkill: described,
  updateSkill: described,
  removeSkill: noText,
  cancelJobs: noText,
  cancelRuns: noText,
  requeueJobs: { nothing: "repeats what was accepted, from its beginning: its guards are asked again" },
  mintServiceAccount: settings,
  decideConsent: noText,
  issueOauthToken: noText,
  revokeOauthToken: noText,
  registerOauthClient: settings,
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
