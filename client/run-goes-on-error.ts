import type { RunAddress } from "./run-address.ts";

/**
 * The client has given up on a run that goes on: it waited for as long as it was allowed to, or could not reach the platform
 * in several tries. `cause` is the error of the last one.
 */
export class RunGoesOnError extends Error {
  override readonly name = "RunGoesOnError";
  /** Takes the run up again: `runs.wait(run)` or `runs.follow(run, { lastEventIndex })`. */
  readonly run: RunAddress;
  /** Index of the last event that arrived; undefined where none did, and for a run that is polled. */
  readonly lastEventIndex: number | undefined;

  constructor(why: string, run: RunAddress, lastEventIndex: number | undefined, cause?: unknown) {
    const place = lastEventIndex === undefined ? "" : `, { lastEventIndex: ${lastEventIndex} }`;
    super(
      `${why}; run ${run.run_id} goes on. Take it up again with runs.wait(error.run) or runs.follow(error.run${place}).`,
      cause === undefined ? undefined : { cause },
    );
    this.run = run;
    this.lastEventIndex = lastEventIndex;
  }
}
