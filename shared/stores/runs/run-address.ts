export type RunAddress = {
  readonly owner: string | null;
  readonly session_id: string;
  readonly run_id: string;
};
