import type { StepFunction } from "../../shared/engine/define/index.ts";

/** Puts what the step before said under a heading; a step of stored workflows. */
export const outline: StepFunction = ({ previous }) => `Outline: ${String(previous)}`;
