import type { Runnable } from "../engine/define/runnable.ts";
import type { EvalPlan } from "../schemas/evals/eval-plan.ts";
import type { LeasedEval } from "../stores/evals/eval-item.ts";
import type { EvalDeps } from "./eval-deps.ts";

/** What can be evaluated. */
export type EvalTarget = Exclude<Runnable, { readonly kind: "workflow" }>;

/** An evaluation in the hands of a worker. */
export type EvalWork = {
  readonly deps: EvalDeps;
  readonly record: LeasedEval;
  readonly plan: EvalPlan;
  /** What is evaluated. */
  readonly runnable: EvalTarget;
  /** Epoch milliseconds after which nothing new is begun, and runs are put down at their next step. */
  readonly until: number;
  /** Aborts with RunStopped `lost` when nothing more may be written, or the process ends. */
  readonly signal: AbortSignal;
};
