import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Version of the state that a checkpoint holds; raised with every change of it. */
export const CHECKPOINT_SHAPE = 1;

/** A run's whole state between two steps, as it is kept: packed JSON. */
export function packCheckpoint(state: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(deflateRawSync(JSON.stringify({ shape: CHECKPOINT_SHAPE, state })));
}

/**
 * @returns the state; its type is what the engine of this version writes
 * @throws  when it was written by a version whose shape this one does not read
 */
export function unpackCheckpoint<State>(checkpoint: Uint8Array): State {
  const { shape, state } = JSON.parse(inflateRawSync(checkpoint).toString("utf8"));
  if (shape !== CHECKPOINT_SHAPE) throw new Error(`a checkpoint of shape ${shape} cannot be read`);
  return state;
}
