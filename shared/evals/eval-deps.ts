import type { FindRunnable } from "../engine/component/find-runnable.ts";
import type { RunDeps } from "../engine/lifecycle/execute-run.ts";
import type { EvalQueue } from "../queue/eval-queue.ts";
import type { Log } from "../runtime/log.ts";
import type { Meter } from "../runtime/metrics/meter.ts";

/** What processing an evaluation needs. */
export type EvalDeps = Omit<RunDeps, "log" | "meter"> & {
  readonly findRunnable: FindRunnable;
  readonly queue: EvalQueue;
  readonly newWorkerId: () => string;
  /** Counts workers that died. The runs of evaluations are not counted among those of users. */
  readonly workMeter?: Meter;
  /** Memory of the process, in MiB. */
  readonly memoryMib: () => number;
  readonly log: Log;
  readonly settings: {
    readonly EXECUTION_TIMEOUT_SECONDS: number;
    readonly APPROVAL_EXPIRES_SECONDS: number;
    /** Model specification of the judge; the component's own where absent. */
    readonly JUDGE_MODEL?: string | undefined;
  };
};
