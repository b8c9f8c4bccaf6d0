import type { CheckpointUpgrade } from "./checkpoint-upgrade.ts";

/**
 * Shape 1 had only the state, and was saved only at hand-offs, where all emitted events stay valid. Shape 2 has the
 * index of the next step's first event, which is absent if all stay valid.
 */
export const from1: CheckpointUpgrade = ({ state }) => ({ state });
