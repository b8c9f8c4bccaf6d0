import type { EventBatch } from "../../stores/runs/events.ts";
import type { RunOutcome } from "../run/run-outcome.ts";

/** The result of one execution of a run. */
export type ExecutedRun<Outcome = RunOutcome> = {
  readonly outcome: Outcome;
  /** Events that are not written yet; they belong in the transaction that ends the run. */
  readonly events: EventBatch;
  /** Resolves once the spans are written; never rejects. The caller awaits it before the process ends. */
  readonly traced: Promise<void>;
};
