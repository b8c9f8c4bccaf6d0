/**
 * Names a call among all calls of a run and of the runs within it: ids of calls are made by models, and two members may
 * give the same.
 *
 * @param member_run_id  the run within the run that made the call; absent for one of the run's own
 */
export const callKey = (tool_call_id: string, member_run_id?: string | null): string =>
  member_run_id == null ? tool_call_id : `${member_run_id}/${tool_call_id}`;

/** The key of a call as a run within the run knows it: its own calls by their ids alone, those within it as they are. */
export const keyWithin = (run_id: string, key: string): string =>
  key.startsWith(`${run_id}/`) ? key.slice(run_id.length + 1) : key;

/** The reverse: how the run around it knows a call that `run_id` knows by this key. */
export const keyAround = (run_id: string, key: string): string =>
  key.includes("/") ? key : callKey(key, run_id);
