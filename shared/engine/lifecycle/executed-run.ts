import type { EventBatch } from "../../stores/runs/events.ts";
import type { RunOutcome } from "../run/run-outcome.ts";

/** What one execution of a run came to. */
export type ExecutedRun<Outcome = RunOutcome> = {
  readonly outcome: Outcome;
  /** Events that are not written yet; they belong in the transaction that ends the run. */
  readonly events: EventBatch;
  /** Settles once the spans of the execution are written; never fails. Whoever ends the process waits for it. */
  readonly traced: Promise<void>;
};
