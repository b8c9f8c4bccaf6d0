/** An agent's settings for memories of its users. */
export type MemorySettings = {
  /** Whether the model may save memories of the user by a tool, for all later runs. */
  readonly enable_agentic_memory: boolean;
  /** Whether each run ends with a search for what is worth remembering of the user. */
  readonly update_memory_on_run: boolean;
  /** Whether the model is shown the memories; when absent, it is if one of the other settings is on. */
  readonly add_memories_to_context?: boolean;
};
