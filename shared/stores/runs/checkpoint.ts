import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { RecordedEvent } from "../../schemas/run-event.ts";

/** Version of what a checkpoint holds; raised with every change of it. */
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
};

/** A checkpoint as it is kept: packed JSON. */
export function packCheckpoint(checkpoint: Checkpoint<unknown>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(deflateRawSync(JSON.stringify({ shape: CHECKPOINT_SHAPE, ...checkpoint })));
}

/**
 * @returns the checkpoint; its state's type is what the engine of this version writes
 * @throws  when it was written by a version whose shape this one does not read
 */
export function unpackCheckpoint<State>(packed: Uint8Array): Checkpoint<State> {
  const { shape, ...checkpoint } = JSON.parse(inflateRawSync(packed).toString("utf8"));
  if (shape !== CHECKPOINT_SHAPE) throw new Error(`a checkpoint of shape ${shape} cannot be read`);
  return checkpoint;
}
