/** Fields of every agent event, those with a question mark only where they apply. @source docs/interface/runs.md 5.2 */
const base = "created_at event agent_id agent_name run_id parent_run_id? session_id nested_depth";

/** What each type carries in addition. @source docs/interface/runs.md 5.3 */
export const eventFields: Readonly<Record<string, string>> = {
  RunStarted: "model model_provider",
  RunContent: "content content_type workflow_agent reasoning_content",
  RunContentCompleted: "",
  RunCompleted: "content content_type reasoning_content? additional_input? metadata? metrics? session_state?",
  RunPaused: "content? tools requirements",
  RunError: "content error_type? error_id?",
  RunCancelled: "content? reason",
  PreHookStarted: "pre_hook_name run_input",
  PreHookCompleted: "pre_hook_name run_input",
  PostHookStarted: "post_hook_name",
  PostHookCompleted: "post_hook_name",
  ToolCallStarted: "tool",
  ToolCallCompleted: "tool content",
  ToolCallError: "tool error",
  MemoryUpdateStarted: "",
  MemoryUpdateCompleted: "memories?",
  SessionSummaryStarted: "",
  SessionSummaryCompleted: "session_summary?",
  ModelRequestStarted: "model model_provider",
  ModelRequestCompleted:
    "model model_provider input_tokens output_tokens total_tokens time_to_first_token? reasoning_tokens cache_read_tokens cache_write_tokens",
  CompressionStarted: "",
  CompressionCompleted: "tool_results_compressed original_size compressed_size",
  CompactionStarted: "",
  CompactionCompleted: "messages_compacted tokens_before tokens_after archived",
  FollowupsStarted: "",
  FollowupsCompleted: "followups",
};

/** The fields that an event of a type must have, and those that it may have. */
export const fieldsOf = (type: string) => {
  const words = `${base} ${eventFields[type] ?? "unknown type"}`.split(" ").filter((word) => word !== "");
  return {
    required: words.filter((word) => !word.endsWith("?")),
    allowed: words.map((word) => word.replace("?", "")),
  };
};
