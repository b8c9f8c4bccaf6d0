import type { RunState } from "./run-state.ts";

/** A run that is not over: its whole state after the last step. */
export type Yielded = { readonly status: "YIELDED"; readonly state: RunState };
