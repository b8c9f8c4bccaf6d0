import type { PendingState } from "../../domain/sessions/pending-state.ts";
import type { StateChanges } from "../../domain/sessions/state-changes.ts";
import { withoutChanges } from "../../domain/sessions/state-changes.ts";
import type { Db } from "../../stores/db.ts";
import { unpackJson } from "../../stores/objects/packed.ts";
import { unspillBytes } from "../../stores/objects/unspill.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { getSession } from "../../stores/sessions/get-session.ts";
import { type StateRead, stateRead } from "../../stores/sessions/state-write.ts";
import type { Runnable } from "../define/runnable.ts";
import { openSessionState, type SessionState, type StateChanged } from "../ports/session-state.ts";
import { requestedState } from "./pending-of.ts";

/** The state of a run's session as an execution begins with it. */
export type StateAtStart = {
  readonly read: StateRead;
  /** What an earlier execution wrote, which this one may repeat. */
  readonly repeats: StateChanges | undefined;
};

/**
 * Reads the state of a run's session.
 *
 * @param read  the state, where the caller has read it just now
 */
export async function readState(db: Db, run: StoredRun, read: StateRead | undefined): Promise<StateAtStart> {
  const { state_written } = run;
  const [session, repeats] = await Promise.all([
    read ? undefined : getSession(db, run.session_id),
    state_written && unspillBytes(db, state_written).then(unpackJson<StateChanges>),
  ]);
  const found = session ? stateRead(session) : { state: {}, version: undefined };
  return { read: read ?? found, repeats };
}

/**
 * Opens the state for one execution of a run.
 *
 *   begins             session + request
 *   resumes a step     session + what the run has changed and not written
 *   resumes a pause    session: its changes were written with the pause
 *
 * @param how.begins  whether the execution starts the run
 */
export function openState(
  run: StoredRun,
  runnable: Runnable,
  { read, repeats = {} }: StateAtStart,
  how: {
    readonly begins: boolean;
    readonly pending: PendingState | undefined;
    readonly changed: StateChanged | undefined;
  },
): SessionState {
  return openSessionState(
    {
      base: withoutChanges(read.state, repeats),
      // The session of a first run was created with the values of its request.
      requested: how.begins && !run.opens_session ? requestedState(run) : undefined,
      pending: how.pending,
      changed: how.changed,
    },
    runnable,
  );
}
