import { hasEnded } from "../../shared/a2a/task-states.ts";
import { followRun } from "../../shared/events/follow-run.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { RecordedEvent } from "../../shared/schemas/runs/run-event.ts";
import { getRunHead } from "../../shared/stores/runs/get-run.ts";
import type { RunAddress } from "../../shared/stores/runs/run-keys.ts";
import type { A2aDeps } from "./a2a-deps.ts";

type Needs = Pick<A2aDeps, "db" | "clock">;

/** Waits until a run ends or pauses, or the client disconnects. @param from index of the first event that is new */
export async function untilEndOrPause(
  at: RunAddress,
  { db, clock }: Needs,
  signal: AbortSignal,
  from: number,
): Promise<void> {
  for await (const _ of followRun(db, at, clock, signal, from)) {
    // Only the end of the events matters.
  }
}

/** How often a paused run is read. */
const PAUSE_POLL_MS = 500;

/** A run's events from its first one until it ends, through its pauses. */
export async function* throughPauses(
  at: RunAddress,
  { db, clock }: Needs,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent> {
  let next = 0;
  while (!signal.aborted) {
    for await (const event of followRun(db, at, clock, signal, next)) {
      next = event.event_index + 1;
      yield event;
    }
    const run = await getRunHead(db, at, epochSeconds(clock));
    if (!run || hasEnded(run.status)) return;
    await clock.sleep(PAUSE_POLL_MS, signal).catch(() => undefined);
  }
}
