/**
 * Names a call among all calls of a run and of the runs within it: ids of calls are made by models, and two members may
 * give the same.
 *
 * @param member_run_id  the run within the run that made the call; absent for one of the run's own
 */
export const callKey = (tool_call_id: string, member_run_id?: string | null): string =>
  member_run_id == null ? tool_call_id : `${member_run_id}/${tool_call_id}`;
