/**
 * Identifies a call among all calls of a run and of the runs within it: models make the ids of calls, so two members
 * may use the same one.
 *
 * @param member_run_id  the run within the run that made the call; absent for one of the run's own
 */
export const callKey = (tool_call_id: string, member_run_id?: string | null): string =>
  member_run_id == null ? tool_call_id : `${member_run_id}/${tool_call_id}`;

/** The key that the nested run `run_id` uses: the id alone for its own calls, the same key for calls below it. */
export const keyWithin = (run_id: string, key: string): string =>
  key.startsWith(`${run_id}/`) ? key.slice(run_id.length + 1) : key;

/** The reverse: the key that the enclosing run uses for a call of the nested run `run_id`. */
export const keyAround = (run_id: string, key: string): string =>
  key.includes("/") ? key : callKey(key, run_id);
