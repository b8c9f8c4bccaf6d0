import type { RunFault } from "../model/model-fault.ts";
import type { RunState } from "./run-state.ts";
import type { RunStopped } from "./run-stopped.ts";

/** Why a run takes no further step in this execution. */
export type Ending =
  | {
      readonly kind: "answered";
      /** Set when the answer must have a given shape. */
      readonly structured?: { readonly value: unknown; readonly type: string };
    }
  | { readonly kind: "paused" }
  | { readonly kind: "stopped"; readonly reason: RunStopped }
  | { readonly kind: "failed"; readonly fault: RunFault };

export type Step = { readonly state: RunState; readonly ending?: Ending };
