import type { StepFunction } from "@agentplatform/core";

/** Puts the previous step's output under a heading; a step for stored workflows. */
export const outline: StepFunction = ({ previous }) => `Outline: ${String(previous)}`;
