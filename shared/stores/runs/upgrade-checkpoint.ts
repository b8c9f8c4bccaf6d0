import { isObject } from "../../schemas/values/json-values.ts";

/**
 * Shape 1 had only the state, and was saved only at hand-offs, where all emitted events stay valid. Shape 2 has the
 * index of the next step's first event, which is absent if all stay valid.
 */
const from1: CheckpointUpgrade = ({ state }) => ({ state });

/**
 * Shape 2 had the session's state as a whole in the state of the run, where it had changed; and in the states of the runs
 * in a workflow's steps, with what they had changed. Shape 3 has the changes beside the state. What they are follows from
 * the run's record; see `pendingOf`.
 */
const from2: CheckpointUpgrade = ({ state, ...rest }) => {
  const { session_state, nested, ...own } = isObject(state) ? state : {};
  const runs = Object.entries(isObject(nested) ? nested : {}).map(([path, run]) => [path, withoutState(run)]);
  const whole = isObject(session_state) ? session_state : undefined;
  return {
    ...rest,
    state: { ...own, ...(nested !== undefined && { nested: Object.fromEntries(runs) }) },
    whole_state: whole ? { session_state: { ...whole, ...changedWithin(nested, whole) } } : {},
  };
};

/** Shape 4 counts the model calls of each run, which were named by how many messages there were. */
const from3: CheckpointUpgrade = ({ state, ...rest }) => ({ ...rest, state: withCalls(state) });

/** The state of a run, of the runs of its members and of its steps. */
function withCalls(state: unknown): unknown {
  if (!isObject(state)) return state;
  const { messages, members, nested } = state;
  return {
    ...state,
    ...(Array.isArray(messages) && { calls: messages.length }),
    ...(Array.isArray(members) && { members: members.map(withCallsWithin) }),
    ...(isObject(nested) && {
      nested: Object.fromEntries(Object.entries(nested).map(([path, run]) => [path, withCallsWithin(run)])),
    }),
  };
}

const withCallsWithin = (run: unknown): unknown =>
  isObject(run) && run.state !== undefined ? { ...run, state: withCalls(run.state) } : run;

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

/**
 * From each shape that may still be stored to the one after it. Runs wait for people for as long as PAUSE_LIFE_SECONDS
 * allows (a month, or for ever), so an upgrade stays for more than one release.
 */
const upgrades: Readonly<Record<number, CheckpointUpgrade>> = { 1: from1, 2: from2, 3: from3 };

/**
 * A checkpoint in the shape that this version of the engine resumes from.
 *
 * @throws when it was saved by a version that is newer, or too old
 */
export function upgradeCheckpoint(
  stored: CheckpointOfAnyShape,
  from: number,
  to: number,
): CheckpointOfAnyShape {
  if (from === to) return stored;
  const upgrade = from < to ? upgrades[from] : undefined;
  if (!upgrade) throw new Error(`a checkpoint of shape ${from} cannot be read`);
  return upgradeCheckpoint(upgrade(stored), from + 1, to);
}

/**
 * Converts a checkpoint from one shape to the next. It has the state of a conversation, or of a workflow with the states
 * of the runs in its steps; a team's state has those of its members.
 */
type CheckpointUpgrade = (checkpoint: CheckpointOfAnyShape) => CheckpointOfAnyShape;

/** A checkpoint as it was stored, without its shape. */
type CheckpointOfAnyShape = Readonly<Record<string, unknown>>;
