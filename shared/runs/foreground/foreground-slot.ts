import type { PendingState } from "../../domain/sessions/session-state.ts";
import type { ExecutionState } from "../../engine/lifecycle/execute-runnable.ts";
import { ServiceError } from "../../errors.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import { type ForegroundSlot, freeSlot, listTakenSlots } from "../../stores/budgets/foreground-slots.ts";
import { retryUntilWritten } from "../../stores/retry-until-written.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { RunAddress } from "../../stores/runs/run-keys.ts";
import type { StateRead } from "../../stores/sessions/session-writes.ts";
import type { Started } from "../../stores/transactions/start-run.ts";
import type { RunsDeps } from "../runs-deps.ts";

/** A run whose record says RUNNING because of this process, which executes it once. */
export type StartedRun = {
  readonly run: StoredRun;
  /** The state to resume from; absent for a new run. */
  readonly from?: ExecutionState | undefined;
  /** See `RunExecution`. */
  readonly stateRead?: StateRead | undefined;
  readonly pending?: PendingState | undefined;
  /** Index of its first event; 0 for a new run. */
  readonly nextIndex?: number;
  /** Set when a request continues it. */
  readonly continues?: boolean;
  /** The completed run whose answer it replaces once it has completed itself. */
  readonly replaces?: RunAddress | undefined;
  /** Its place among the foreground runs of its user; absent where the user has no limit. */
  readonly slot?: ForegroundSlot | undefined;
};

/** No function lives longer; a record that is RUNNING after this has lost its process. */
export const LEASE_SECONDS = 930;

/** What a foreground run takes when it starts; absent where its user has no limit. */
export type SlotOf = (run_id: string) => ForegroundSlot | undefined;

/** How long a client waits before it tries again; most runs end sooner. */
const RETRY_AFTER_SECONDS = 5;

/** A run that was started, or why it was not. */
export type StartedInSlot =
  | { readonly written: true; readonly started: StartedRun }
  | Extract<Started, { written: false }>;

/**
 * Starts a run of a caller in one of the slots that the caller's foreground runs may take at once. The first slot is a
 * guess, which is right while most are free, so that a run waits for no read; when it is taken, it is read which are free.
 *
 * @param tryOnce  writes the start of the run together with its slot
 * @throws ServiceError TOO_MANY_REQUESTS when no slot is free; what `gaveUp` returns after too many lost races
 */
export async function startInSlot(
  deps: Pick<RunsDeps, "db" | "clock" | "random" | "settings">,
  userId: string | null,
  tryOnce: (slotOf: SlotOf) => Promise<StartedInSlot>,
  gaveUp: () => ServiceError,
): Promise<StartedRun> {
  const limit = deps.settings.MAX_FOREGROUND_PER_USER;
  let number = Math.floor(deps.random() * limit);
  const slotOf: SlotOf = (run_id) =>
    userId === null || limit === 0
      ? undefined
      : { user_id: userId, number, run_id, expires_at: epochSeconds(deps.clock) + LEASE_SECONDS };
  return retryUntilWritten(async () => {
    const result = await tryOnce(slotOf);
    if (result.written) return result.started;
    if (result.because === "slot_taken" && userId !== null) number = await pickFree(deps, userId, limit);
    return undefined;
  }, gaveUp);
}

async function pickFree(
  { db, clock, random }: Pick<RunsDeps, "db" | "clock" | "random">,
  userId: string,
  limit: number,
): Promise<number> {
  const taken = new Set(await listTakenSlots(db, userId, epochSeconds(clock)));
  const free = Array.from({ length: limit }, (_, number) => number).filter((number) => !taken.has(number));
  const picked = free[Math.floor(random() * free.length)];
  if (picked !== undefined) return picked;
  throw new ServiceError(
    "TOO_MANY_REQUESTS",
    `${limit} of your runs are going on in the foreground, as many as MAX_FOREGROUND_PER_USER allows at once; ` +
      "wait until one ends, or send background=true",
    { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } },
  );
}

/** Frees a run's slot. Where that fails, the slot expires by itself. */
export async function leaveSlot(
  { db, clock, log }: Pick<RunsDeps, "db" | "clock" | "log">,
  slot: ForegroundSlot | undefined,
): Promise<void> {
  if (!slot) return;
  await freeSlot(db, slot, epochSeconds(clock)).catch((error) =>
    log.warn("a foreground slot was not freed", { run_id: slot.run_id, error: String(error) }),
  );
}
