import type { Runnable } from "../engine/define/runnable.ts";
import type { EvalPlan } from "../schemas/evals/eval-plan.ts";
import type { LeasedEval } from "../stores/evals/index.ts";
import type { EvalDeps } from "./eval-deps.ts";

/** What can be evaluated. */
export type EvalTarget = Exclude<Runnable, { readonly kind: "workflow" }>;

/** An evaluation that a worker has claimed. */
export type EvalWork = {
  readonly deps: EvalDeps;
  readonly record: LeasedEval;
  readonly plan: EvalPlan;
  /** What is evaluated. */
  readonly runnable: EvalTarget;
  /** Epoch milliseconds after which no trial is begun, and runs yield at their next step. */
  readonly until: number;
  /** Aborts with RunStopped `lost` when nothing more may be written, or the process ends. */
  readonly signal: AbortSignal;
};
