import type { CheckpointUpgrade } from "./checkpoint-upgrade.ts";

/**
 * Shape 1 held the state alone, and was kept at hand-offs only, where all that was told stands. Shape 2 says where the
 * next step's events begin, and lets that be absent where this is so.
 */
export const from1: CheckpointUpgrade = ({ state }) => ({ state });
