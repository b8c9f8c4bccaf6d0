import type { CheckpointOfAnyShape, CheckpointUpgrade } from "./checkpoint-upgrade.ts";
import { from1 } from "./from-1.ts";
import { from2 } from "./from-2.ts";

/**
 * From each shape that may still be stored to the one after it. Runs wait for people for as long as PAUSE_LIFE_SECONDS
 * allows (a month, or for ever), so an upgrade stays for more than one release.
 */
const upgrades: Readonly<Record<number, CheckpointUpgrade>> = { 1: from1, 2: from2 };

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
