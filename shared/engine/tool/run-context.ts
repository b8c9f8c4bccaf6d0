/** What an agent's own code (instructions, hooks, tools) can read about its run. */
export type RunContext = {
  readonly run_id: string;
  readonly session_id: string;
  readonly user_id: string | null;
  readonly agent_id: string;
  /** The session's state with what this run has changed, as it was when the code was called. */
  readonly session_state: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** An object of filters, one filter expression, or several. */
  readonly knowledge_filters?: unknown;
  /** Form fields that the platform does not know, by name. */
  readonly parameters: Readonly<Record<string, unknown>>;
};
