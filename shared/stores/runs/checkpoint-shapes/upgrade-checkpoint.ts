import { from1 } from "./from-1.ts";

/** A checkpoint as it was kept, but for its shape. */
export type KeptCheckpoint = Readonly<Record<string, unknown>>;

/**
 * Makes a checkpoint of one shape into one of the next. It holds the state of a conversation, or a workflow's, which
 * holds the states of the runs in its steps; a team's holds its members'.
 */
export type CheckpointUpgrade = (checkpoint: KeptCheckpoint) => KeptCheckpoint;

/**
 * From each shape that may still be around to the one after it. Runs wait for people for as long as
 * PAUSE_LIFE_SECONDS lets them (a month, or for ever), so an upgrade stays for more than one release.
 */
const upgrades: Readonly<Record<number, CheckpointUpgrade>> = { 1: from1 };

/**
 * A checkpoint in the shape that this version of the engine goes on with.
 *
 * @throws when it was kept by a version that is newer, or too old
 */
export function upgradeCheckpoint(kept: KeptCheckpoint, from: number, to: number): KeptCheckpoint {
  if (from === to) return kept;
  const upgrade = from < to ? upgrades[from] : undefined;
  if (!upgrade) throw new Error(`a checkpoint of shape ${from} cannot be read`);
  return upgradeCheckpoint(upgrade(kept), from + 1, to);
}
