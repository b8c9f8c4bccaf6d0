import * as v from "valibot";
import { configStages } from "./component.ts";

const ToolView = v.object({
  name: v.string(),
  description: v.optional(v.string()),
  /** JSON Schema of the arguments. */
  parameters: v.record(v.string(), v.unknown()),
  requires_confirmation: v.optional(v.boolean()),
  external_execution: v.optional(v.boolean()),
  approval_type: v.optional(v.picklist(["required", "audit"])),
});

/**
 * How an agent is shown. Settings at their defaults and empty groups are left out.
 *
 * @source docs/interface/runs.md 2.1
 */
export const AgentResponse = v.object({
  id: v.string(),
  name: v.optional(v.string()),
  description: v.optional(v.string()),
  role: v.optional(v.string()),
  introduction: v.optional(v.string()),
  db_id: v.optional(v.string()),
  is_factory: v.boolean(),
  /** JSON Schema of the message. */
  input_schema: v.optional(v.record(v.string(), v.unknown())),
  model: v.optional(v.object({ name: v.string(), model: v.string(), provider: v.string() })),
  tools: v.optional(
    v.object({
      tools: v.array(ToolView),
      tool_call_limit: v.optional(v.number()),
      tool_choice: v.optional(
        v.union([v.picklist(["auto", "none", "required"]), v.object({ tool: v.string() })]),
      ),
    }),
  ),
  sessions: v.optional(
    v.object({
      session_table: v.string(),
      add_history_to_context: v.optional(v.boolean()),
      enable_session_summaries: v.optional(v.boolean()),
      num_history_runs: v.optional(v.number()),
    }),
  ),
  default_tools: v.optional(
    v.object({ read_chat_history: v.optional(v.boolean()), search_knowledge: v.optional(v.boolean()) }),
  ),
  knowledge: v.optional(
    v.object({
      /** Ours: the base by its name. */
      name: v.string(),
      db_id: v.string(),
      knowledge_table: v.string(),
      enable_agentic_knowledge_filters: v.optional(v.boolean()),
      knowledge_filters: v.optional(v.unknown()),
      references_format: v.literal("json"),
    }),
  ),
  memory: v.optional(
    v.object({
      memory_table: v.string(),
      enable_agentic_memory: v.optional(v.boolean()),
      update_memory_on_run: v.optional(v.boolean()),
    }),
  ),
  system_message: v.optional(
    v.object({
      system_message: v.optional(v.string()),
      description: v.optional(v.string()),
      instructions: v.optional(v.union([v.string(), v.array(v.string())])),
      expected_output: v.optional(v.string()),
      additional_context: v.optional(v.string()),
      markdown: v.optional(v.boolean()),
      add_name_to_context: v.optional(v.boolean()),
      add_datetime_to_context: v.optional(v.boolean()),
      timezone_identifier: v.optional(v.string()),
      resolve_in_context: v.optional(v.boolean()),
    }),
  ),
  extra_messages: v.optional(
    v.object({
      additional_input: v.array(v.object({ role: v.picklist(["user", "assistant"]), content: v.string() })),
    }),
  ),
  response_settings: v.optional(
    v.object({
      retries: v.optional(v.number()),
      /** Seconds. */
      delay_between_retries: v.optional(v.number()),
      exponential_backoff: v.optional(v.boolean()),
      output_schema_name: v.optional(v.string()),
    }),
  ),
  metadata: v.optional(v.record(v.string(), v.unknown())),
  is_component: v.boolean(),
  /** For a stored one: the version that is shown, and its stage. */
  current_version: v.optional(v.number()),
  stage: v.optional(v.picklist(configStages)),
});
export type AgentResponse = v.InferOutput<typeof AgentResponse>;
