import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { RecordedEvent } from "../../schemas/runs/run-event.ts";
import type { Span } from "../../schemas/traces/span.ts";
import { upgradeCheckpoint } from "./checkpoint-shapes/upgrade-checkpoint.ts";

/**
 * Version of what a checkpoint holds; raised with every change of it. Then there is an upgrade to write
 * (`checkpoint-shapes/`) and a checkpoint to record (`npm run record:checkpoints`).
 */
export const CHECKPOINT_SHAPE = 2;

/** Where a run can be taken up. */
export type Checkpoint<State> = {
  /** The run's whole state between two steps. */
  readonly state: State;
  /**
   * Index of the first event after the step: whoever takes the run up after a crash makes those void that the crashed
   * attempt told from there on. Absent where all that was told stands.
   */
  readonly next_index?: number;
  /** Events before that index which may not be written yet. */
  readonly untold?: readonly RecordedEvent[];
  /** Set where a person has continued the run and nobody has told so yet. */
  readonly continues?: boolean;
  /** Spans of what was done until then that are in no table yet. */
  readonly unwritten_spans?: readonly Span[];
};

/** A checkpoint as it is kept: packed JSON. */
export function packCheckpoint(checkpoint: Checkpoint<unknown>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(deflateRawSync(JSON.stringify({ shape: CHECKPOINT_SHAPE, ...checkpoint })));
}

/**
 * @returns the checkpoint, as the engine of this version keeps it, also where an earlier one did
 * @throws  when it was kept by a version that is newer, or too old
 */
export function unpackCheckpoint<State>(packed: Uint8Array): Checkpoint<State> {
  const { shape, ...kept } = JSON.parse(inflateRawSync(packed).toString("utf8"));
  // What the chain of upgrades ends with is what this version keeps; recorded checkpoints of each shape are resumed in a test.
  return upgradeCheckpoint(kept, shape, CHECKPOINT_SHAPE) as unknown as Checkpoint<State>;
}
