import type { StepFunction } from "../../shared/engine/define/index.ts";

const LONG_CHARS = 80;

/** Whether the step before said a lot; a condition of stored workflows. */
export const isLong: StepFunction = ({ previous }) => String(previous).length > LONG_CHARS;
