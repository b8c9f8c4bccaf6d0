import type { StepFunction } from "../../shared/engine/define/index.ts";

const LONG_CHARS = 80;

/** Whether the previous step's output is long; a condition for stored workflows. */
export const isLong: StepFunction = ({ previous }) => String(previous).length > LONG_CHARS;
