import type { CheckpointOfAnyShape, CheckpointUpgrade } from "./checkpoint-upgrade.ts";
import { from1 } from "./from-1.ts";

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
export function upgradeCheckpoint(
  kept: CheckpointOfAnyShape,
  from: number,
  to: number,
): CheckpointOfAnyShape {
  if (from === to) return kept;
  const upgrade = from < to ? upgrades[from] : undefined;
  if (!upgrade) throw new Error(`a checkpoint of shape ${from} cannot be read`);
  return upgradeCheckpoint(upgrade(kept), from + 1, to);
}
