import { RunStopped } from "./run-stopped.ts";
import type { Ending } from "./step.ts";

/** The ending of a run whose signal was aborted. @throws its reason, when that is not a RunStopped */
export function stoppedBy({ reason }: AbortSignal): Ending {
  if (reason instanceof RunStopped) return { kind: "stopped", reason };
  throw reason;
}
