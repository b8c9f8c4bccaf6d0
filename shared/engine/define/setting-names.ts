import { nearestName } from "../../schemas/values/nearest-name.ts";
import type { Tool } from "../tool/tool.ts";
import type { Agent } from "./agent.ts";
import type { Team } from "./team.ts";
import type { Workflow } from "./workflow.ts";

/** The names of a declaration's settings; the compiler refuses a list that lacks one. */
type NamesOf<T> = Readonly<Record<keyof T, true>>;

const agentNames: NamesOf<Agent> = {
  kind: true,
  id: true,
  version: true,
  revision: true,
  callback: true,
  name: true,
  description: true,
  role: true,
  introduction: true,
  instructions: true,
  expected_output: true,
  additional_context: true,
  system_message: true,
  additional_input: true,
  add_name_to_context: true,
  add_datetime_to_context: true,
  timezone_identifier: true,
  add_session_state_to_context: true,
  enable_agentic_state: true,
  add_dependencies_to_context: true,
  resolve_in_context: true,
  model: true,
  fallback_models: true,
  fallback_config: true,
  helper_model: true,
  followup_model: true,
  followup_instructions: true,
  max_output_tokens: true,
  temperature: true,
  prompt_cache: true,
  tools: true,
  skills: true,
  tool_sources: true,
  tool_choice: true,
  tool_call_limit: true,
  offload_tool_results: true,
  compaction: true,
  compress_tool_results: true,
  max_steps: true,
  loop_limit: true,
  add_history_to_context: true,
  num_history_runs: true,
  num_history_messages: true,
  read_chat_history: true,
  enable_session_summaries: true,
  add_session_summary_to_context: true,
  learning: true,
  add_learnings_to_context: true,
  followups: true,
  num_followups: true,
  input_schema: true,
  pre_hooks: true,
  post_hooks: true,
  stream_hold: true,
  keep_withheld: true,
  max_tokens_per_run: true,
  max_cost_per_run: true,
  online_evaluation: true,
  markdown: true,
  output_schema: true,
  retries: true,
  delay_between_retries: true,
  exponential_backoff: true,
  quick_prompts: true,
  metadata: true,
  dependencies: true,
  session_state: true,
  state: true,
  knowledge: true,
  search_knowledge: true,
  add_knowledge_to_context: true,
  knowledge_filters: true,
  enable_agentic_knowledge_filters: true,
  enable_agentic_memory: true,
  update_memory_on_run: true,
  add_memories_to_context: true,
  remote: true,
};

const { remote: _, ...leaderNames } = agentNames;
const teamNames: NamesOf<Team> = {
  ...leaderNames,
  mode: true,
  members: true,
  stream_member_events: true,
  share_member_interactions: true,
  add_team_history_to_members: true,
  get_member_information_tool: true,
  num_team_history_runs: true,
  determine_input_for_members: true,
  max_iterations: true,
};

const workflowNames: NamesOf<Workflow> = {
  kind: true,
  id: true,
  version: true,
  revision: true,
  callback: true,
  name: true,
  description: true,
  steps: true,
  input_schema: true,
  add_workflow_history_to_steps: true,
  num_history_runs: true,
  metadata: true,
  quick_prompts: true,
  dependencies: true,
  session_state: true,
  state: true,
};

const toolNames: NamesOf<Tool> = {
  name: true,
  description: true,
  effect: true,
  requires_confirmation: true,
  editable: true,
  requires_user_input: true,
  external_execution: true,
  external_execution_silent: true,
  approval_type: true,
  stop_after_tool_call: true,
  timeout_seconds: true,
  retries: true,
  max_parallel: true,
  may_repeat: true,
  secrets: true,
  permissions: true,
  parameters: true,
  input_schema: true,
  user_input_fields: true,
  asks: true,
  max_result_bytes: true,
  abandon: true,
  execute: true,
};

const names = { agent: agentNames, team: teamNames, workflow: workflowNames, tool: toolNames };

/** Members of a declaration that are no settings of its kind, each with the setting whose name is nearest. */
export function unknownSettings(
  kind: keyof typeof names,
  declared: object,
): { readonly name: string; readonly nearest: string | undefined }[] {
  const known = Object.keys(names[kind]);
  return Object.keys(declared)
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, nearest: nearestName(name, known) }));
}
