import { DB_ID, KNOWLEDGE_TABLE, MEMORY_TABLE, SESSION_TABLE } from "../../domain/databases/database.ts";
import { DEFAULT_RUNS } from "../../domain/sessions/shown-runs.ts";
import type { AgentResponse } from "../../schemas/components/agent.ts";
import { type Agent, type AgentSettings, agentDefaults } from "../define/agent.ts";
import { shapeOf } from "../define/answer-shape.ts";
import { modelViewOf } from "../define/remote-agent.ts";
import type { Models } from "../model/models.ts";
import { usesMemories } from "../recall/memory-settings.ts";
import { jsonSchemaOf } from "../tool/declared-schema.ts";
import { toolParameters } from "../tool/new-tool-call.ts";
import type { Tool } from "../tool/tool.ts";

/** An agent as clients see it: settings that differ from their defaults, and no empty groups. */
export function describeAgent(agent: Agent, models: Pick<Models, "describe">): AgentResponse {
  const { id, provider } = modelViewOf(agent, models);
  const system = systemSettings(agent);
  const response = describeResponseSettings(agent);
  const { role, introduction, input_schema, additional_input } = agent;
  const knowledge = describeKnowledge(agent);
  const defaultTools = defaultToolSettings(agent);
  return {
    id: agent.id,
    name: agent.name,
    ...(agent.description !== undefined && { description: agent.description }),
    ...(role !== undefined && { role }),
    ...(introduction !== undefined && { introduction }),
    db_id: DB_ID,
    is_factory: false,
    ...(input_schema && { input_schema: { ...jsonSchemaOf(input_schema) } }),
    model: { name: provider, model: id, provider },
    ...(agent.tools.length > 0 && { tools: toolSettings(agent) }),
    sessions: sessionSettings(agent),
    ...(Object.keys(defaultTools).length > 0 && { default_tools: defaultTools }),
    ...(knowledge && { knowledge }),
    ...(usesMemories(agent) && { memory: memorySettings(agent) }),
    ...(Object.keys(system).length > 0 && { system_message: system }),
    ...(Object.keys(response).length > 0 && { response_settings: response }),
    ...(additional_input.length > 0 && { extra_messages: { additional_input: [...additional_input] } }),
    ...(agent.metadata && { metadata: { ...agent.metadata } }),
    is_component: false,
  };
}

const toolSettings = ({
  tools,
  tool_call_limit,
  tool_choice,
}: Agent): NonNullable<AgentResponse["tools"]> => ({
  tools: tools.map(describeTool),
  ...(tool_call_limit !== undefined && { tool_call_limit }),
  ...(tool_choice !== undefined && { tool_choice }),
});

const describeTool = (tool: Tool) => ({
  name: tool.name,
  description: tool.description,
  parameters: { ...toolParameters(tool) },
  ...(tool.requires_confirmation && { requires_confirmation: true }),
  ...(tool.external_execution && { external_execution: true }),
  ...(tool.approval_type && { approval_type: tool.approval_type }),
});

const defaultToolSettings = ({ read_chat_history, knowledge, search_knowledge }: Agent) => ({
  ...(read_chat_history && { read_chat_history }),
  ...(knowledge !== undefined && !search_knowledge && { search_knowledge }),
});

const sessionSettings = (agent: Agent): NonNullable<AgentResponse["sessions"]> => ({
  session_table: SESSION_TABLE,
  ...(agent.add_history_to_context && { add_history_to_context: true }),
  ...(agent.enable_session_summaries && { enable_session_summaries: true }),
  ...(agent.num_history_runs !== undefined &&
    agent.num_history_runs !== DEFAULT_RUNS && { num_history_runs: agent.num_history_runs }),
});

const memorySettings = (agent: Agent): NonNullable<AgentResponse["memory"]> => ({
  memory_table: MEMORY_TABLE,
  ...(agent.enable_agentic_memory && { enable_agentic_memory: true }),
  ...(agent.update_memory_on_run && { update_memory_on_run: true }),
});

/** Instructions that are computed for each run cannot be shown. */
const systemSettings = (agent: Agent): NonNullable<AgentResponse["system_message"]> => ({
  ...present({
    system_message: agent.system_message,
    description: agent.description,
    instructions: shownInstructions(agent),
    expected_output: agent.expected_output,
    additional_context: agent.additional_context,
    timezone_identifier: agent.timezone_identifier,
  }),
  ...(agent.markdown && { markdown: true }),
  ...(agent.add_name_to_context && { add_name_to_context: true }),
  ...(agent.add_datetime_to_context && { add_datetime_to_context: true }),
  ...(!agent.resolve_in_context && { resolve_in_context: false }),
});

function shownInstructions({ instructions }: Agent): string | string[] | undefined {
  if (instructions === undefined || typeof instructions === "function") return undefined;
  return typeof instructions === "string" ? instructions : [...instructions];
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Leaves out undefined values. */
function present<T extends object>(values: T): Present<T> {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as Present<T>; // the same keys, less those without a value
}

/** An agent's knowledge settings as clients see them. */
function describeKnowledge(
  settings: Pick<AgentSettings, "knowledge" | "knowledge_filters" | "enable_agentic_knowledge_filters">,
): NonNullable<AgentResponse["knowledge"]> | undefined {
  const { knowledge, knowledge_filters, enable_agentic_knowledge_filters } = settings;
  if (knowledge === undefined) return undefined;
  return {
    name: knowledge,
    db_id: DB_ID,
    knowledge_table: KNOWLEDGE_TABLE,
    ...(enable_agentic_knowledge_filters && { enable_agentic_knowledge_filters }),
    ...(knowledge_filters && { knowledge_filters }),
    references_format: "json",
  };
}

/** An agent's settings for answers and retries that differ from the defaults. */
function describeResponseSettings(agent: AgentSettings): NonNullable<AgentResponse["response_settings"]> {
  const { retries, delay_between_retries, exponential_backoff, output_schema } = agent;
  return {
    ...(retries !== agentDefaults.retries && { retries }),
    ...(delay_between_retries !== agentDefaults.delay_between_retries && { delay_between_retries }),
    ...(exponential_backoff !== agentDefaults.exponential_backoff && { exponential_backoff }),
    ...(output_schema && { output_schema_name: shapeOf(output_schema).name }),
  };
}
