import * as v from "valibot";

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
 * @source contract, runs-and-queue 2.2
 */
export const AgentResponse = v.object({
  id: v.string(),
  name: v.optional(v.string()),
  description: v.optional(v.string()),
  db_id: v.optional(v.string()),
  is_factory: v.boolean(),
  model: v.optional(v.object({ name: v.string(), model: v.string(), provider: v.string() })),
  tools: v.optional(v.object({ tools: v.array(ToolView), tool_call_limit: v.optional(v.number()) })),
  sessions: v.optional(
    v.object({
      session_table: v.string(),
      add_history_to_context: v.optional(v.boolean()),
      num_history_runs: v.optional(v.number()),
    }),
  ),
  system_message: v.optional(
    v.object({
      description: v.optional(v.string()),
      instructions: v.optional(v.union([v.string(), v.array(v.string())])),
      markdown: v.optional(v.boolean()),
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
});
export type AgentResponse = v.InferOutput<typeof AgentResponse>;
