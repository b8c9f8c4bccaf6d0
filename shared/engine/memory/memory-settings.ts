/** What an agent's declaration says of what it remembers of its users. */
export type MemorySettings = {
  /** Whether the model may have something remembered of the user, for all later runs. */
  readonly enable_agentic_memory: boolean;
  /** Whether each run ends with looking for what is worth remembering of the user. */
  readonly update_memory_on_run: boolean;
  /** Whether the model is told what is remembered; as soon as anything is, when absent. */
  readonly add_memories_to_context?: boolean;
};
