import { url } from "node:inspector";

/** Whether a debugger may stop this process (`--inspect`): nothing may be ended then because it takes long. */
export const isInspected = (): boolean => url() !== undefined;

/** Milliseconds: a day, which is longer than anybody looks at a breakpoint. */
export const WHILE_INSPECTED_MS = 86_400_000;
