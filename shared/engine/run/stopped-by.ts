import { RunStopped } from "./run-stopped.ts";
import type { Ending } from "./step.ts";

/** The ending that an aborted signal stands for. @throws its reason, when that is not a RunStopped */
export function stoppedBy({ reason }: AbortSignal): Ending {
  if (reason instanceof RunStopped) return { kind: "stopped", reason };
  throw reason;
}
