import { isObject } from "../../../schemas/values/is-object.ts";
import type { CheckpointUpgrade } from "./checkpoint-upgrade.ts";

/**
 * Shape 2 had the session's state as a whole in the state of the run, where it had changed; and in the states of the runs
 * in a workflow's steps, with what they had changed. Shape 3 has the changes beside the state. What they are follows from
 * the run's record; see `pendingOf`.
 */
export const from2: CheckpointUpgrade = ({ state, ...rest }) => {
  const { session_state, nested, ...own } = isObject(state) ? state : {};
  const runs = Object.entries(isObject(nested) ? nested : {}).map(([path, run]) => [path, withoutState(run)]);
  const whole = isObject(session_state) ? session_state : undefined;
  return {
    ...rest,
    state: { ...own, ...(nested !== undefined && { nested: Object.fromEntries(runs) }) },
    whole_state: whole ? { session_state: { ...whole, ...changedWithin(nested, whole) } } : {},
  };
};

function withoutState(run: unknown): unknown {
  if (!isObject(run) || !isObject(run.state)) return run;
  const { session_state: _, ...state } = run.state;
  return { ...run, state };
}

function changedWithin(nested: unknown, whole: Record<string, unknown>): Record<string, unknown> {
  const runs = Object.values(isObject(nested) ? nested : {});
  const changed = runs.flatMap((run) => {
    const state = isObject(run) && isObject(run.state) ? run.state.session_state : undefined;
    return Object.entries(isObject(state) ? state : {}).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(whole[key]),
    );
  });
  return Object.fromEntries(changed);
}
