import { deflateRawSync, inflateRawSync } from "node:zlib";
import { write } from "../../data/index.ts";
import { outputSoFar } from "../../domain/runs/output-so-far.ts";
import type { PendingState, SessionValues } from "../../domain/sessions/session-state.ts";
import type { RecordedEvent } from "../../schemas/runs/run-event.ts";
import type { Span } from "../../schemas/traces/span.ts";
import type { Db } from "../db.ts";
import { sessionObjects, spillBytes, unspillBytes } from "../objects/spill.ts";
import { readEvents } from "./events.ts";
import type { StoredRun } from "./run-item.ts";
import type { RunAddress } from "./run-keys.ts";
import { runUpdate } from "./run-update.ts";
import { upgradeCheckpoint } from "./upgrade-checkpoint.ts";

/**
 * Version of a checkpoint's shape; raised with every change of it. A change also needs an upgrade
 * (`shapes/`) and a recorded checkpoint (`npm run record:checkpoints`).
 */
export const CHECKPOINT_SHAPE = 4;

/** Where a run can be resumed. */
export type Checkpoint<State> = {
  /** The run's whole state between two steps. */
  readonly state: State;
  /**
   * Index of the first event after the step: an attempt that resumes the run after a crash invalidates the events that
   * the crashed one emitted from there on. Absent if all emitted events stay valid.
   */
  readonly next_index?: number;
  /** Events before that index which may not be written yet. */
  readonly untold?: readonly RecordedEvent[];
  /** Set when a person has continued the run and the event for that is not emitted yet. */
  readonly continues?: boolean;
  /** What the run has changed in its session's state and not written. */
  readonly pending_state?: PendingState;
  /** Saved by an older version of this code, which kept the whole state as the run had it. */
  readonly whole_state?: { readonly session_state?: SessionValues };
  /** Spans until then that are not written yet. */
  readonly unwritten_spans?: readonly Span[];
};

/** A checkpoint as it is stored: packed JSON. */
export function packCheckpoint(checkpoint: Checkpoint<unknown>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(deflateRawSync(JSON.stringify({ shape: CHECKPOINT_SHAPE, ...checkpoint })));
}

/**
 * @returns the checkpoint in the shape of this version of the engine, also if an earlier one saved it
 * @throws  when it was saved by a version that is newer, or too old
 */
export function unpackCheckpoint<State>(packed: Uint8Array): Checkpoint<State> {
  const { shape, ...stored } = JSON.parse(inflateRawSync(packed).toString("utf8"));
  // The chain of upgrades ends with this version's shape; a test resumes recorded checkpoints of each shape.
  return upgradeCheckpoint(stored, shape, CHECKPOINT_SHAPE) as unknown as Checkpoint<State>;
}

/** Where a run can be resumed; undefined if no checkpoint was saved. The engine writes the state and knows its type. */
export async function readCheckpoint<State>(
  db: Db,
  { checkpoint }: StoredRun,
): Promise<Checkpoint<State> | undefined> {
  return checkpoint && unpackCheckpoint<State>(await unspillBytes(db, checkpoint));
}

/** Most bytes of a checkpoint in the record itself, beside its output and last events. */
const MAX_CHECKPOINT_BYTES = 40_000;

/**
 * Saves the checkpoint of an execution on its run's record.
 *
 * @param at  the run as it was when this process began to execute it
 * @returns   false when a later attempt has the record, this one was handed off, or it is not RUNNING: nothing was written
 */
export async function saveCheckpoint(
  db: Db,
  at: RunAddress & { readonly hops?: number | undefined },
  attempt: number,
  packed: Uint8Array,
): Promise<boolean> {
  const prefix = sessionObjects(at.owner, at.session_id);
  const checkpoint = await spillBytes(db, prefix, packed, MAX_CHECKPOINT_BYTES);
  const change = { status: "RUNNING", checkpoint } as const;
  return (await write(db, runUpdate(at, { by: "start", attempt, hops: at.hops ?? 0 }, change))).written;
}

/**
 * A run that goes on, with what it has said and done so far; any other run as it is. Events reach the store about a
 * quarter of a second after they happened.
 */
export async function withProgress(db: Db, run: StoredRun): Promise<StoredRun> {
  if (run.status !== "RUNNING") return run;
  const { events } = await readEvents(db, run);
  return { ...run, output: { ...outputSoFar(run.output, events), status: run.status } };
}
