import type { ToolExecution } from "../../../shared/schemas/runs/run.ts";

/** Longest output of a call that is shown, in characters. */
const MAX_OUTPUT_CHARS = 65_536;

export const shownOutput = (text: string): string => text.slice(0, MAX_OUTPUT_CHARS);

/** Whether a person has refused a call. */
export const isDenied = ({ confirmed }: Pick<ToolExecution, "confirmed">): boolean => confirmed === false;
