/** A workflow's run, as it was accepted. */
export type WorkflowRequest = {
  readonly run_id: string;
  readonly session_id: string;
  readonly user_id: string | null;
  readonly input: unknown;
  readonly session_state: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Epoch seconds at which the run was accepted. */
  readonly created_at: number;
};
