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
import { keyTaken } from "../repeated-request.ts";
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
  /** Its places among the foreground runs of its user and of all callers; none where nothing limits them. */
  readonly slots: readonly ForegroundSlot[];
};

/** No function lives longer; a record that is RUNNING after this has lost its process. */
export const LEASE_SECONDS = 930;

/** What a foreground run takes when it starts. */
export type SlotsOf = (run_id: string) => readonly ForegroundSlot[];

/** Places of which a run needs one. */
type Places = Pick<ForegroundSlot, "user_id"> & { readonly limit: number };

/** How long a client waits before it tries again; most runs end sooner. */
const RETRY_AFTER_SECONDS = 5;

/** A run that was started, or why it was not. */
export type StartedInSlot =
  | { readonly written: true; readonly started: StartedRun }
  | Extract<Started, { written: false }>;

/**
 * Starts a run of a caller in one of the slots that the caller's foreground runs may take at once, and in one of those that
 * the runs of all callers may take. The first slots are a guess, which is right while most are free, so that a run waits for
 * no read; when one is taken, it is read which are free.
 *
 * @param userId   null for who has no limit of their own
 * @param tryOnce  writes the start of the run together with its slots
 * @throws ServiceError TOO_MANY_REQUESTS when no slot is free, CONFLICT when the request's key is taken; what `gaveUp` returns after too many lost races
 */
export async function startInSlot(
  deps: Pick<RunsDeps, "db" | "clock" | "random" | "settings">,
  userId: string | null,
  tryOnce: (slotsOf: SlotsOf) => Promise<StartedInSlot>,
  gaveUp: () => ServiceError,
): Promise<StartedRun> {
  const { MAX_FOREGROUND, MAX_FOREGROUND_PER_USER } = deps.settings;
  const places: readonly Places[] = [
    ...(userId === null ? [] : [{ user_id: userId, limit: MAX_FOREGROUND_PER_USER }]),
    { user_id: null, limit: MAX_FOREGROUND },
  ].filter(({ limit }) => limit > 0);
  let picked = places.map(({ user_id, limit }) => ({ user_id, number: Math.floor(deps.random() * limit) }));
  const slotsOf: SlotsOf = (run_id) => {
    const expires_at = epochSeconds(deps.clock) + LEASE_SECONDS;
    return picked.map((place) => ({ ...place, run_id, expires_at }));
  };
  return retryUntilWritten(async () => {
    const result = await tryOnce(slotsOf);
    if (result.written) return result.started;
    if (result.because === "duplicate") throw keyTaken();
    if (result.because === "slot_taken") {
      picked = await Promise.all(places.map(async (one) => ({ ...one, number: await pickFree(deps, one) })));
    }
    return undefined;
  }, gaveUp);
}

async function pickFree(
  { db, clock, random }: Pick<RunsDeps, "db" | "clock" | "random">,
  { user_id, limit }: Places,
): Promise<number> {
  const taken = new Set(await listTakenSlots(db, user_id, epochSeconds(clock)));
  const free = Array.from({ length: limit }, (_, number) => number).filter((number) => !taken.has(number));
  const picked = free[Math.floor(random() * free.length)];
  if (picked !== undefined) return picked;
  const [whose, setting] =
    user_id === null ? (["", "MAX_FOREGROUND"] as const) : ([" of your", "MAX_FOREGROUND_PER_USER"] as const);
  throw new ServiceError(
    "TOO_MANY_REQUESTS",
    `${limit}${whose} runs are going on in the foreground, as many as ${setting} allows at once; ` +
      "wait until one ends, or send background=true",
    { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } },
  );
}

/** Frees a run's slots. Where that fails, a slot expires by itself. */
export async function leaveSlots(
  { db, clock, log }: Pick<RunsDeps, "db" | "clock" | "log">,
  slots: readonly ForegroundSlot[],
): Promise<void> {
  const leave = (slot: ForegroundSlot) =>
    freeSlot(db, slot, epochSeconds(clock)).catch((error) =>
      log.warn("a foreground slot was not freed", { run_id: slot.run_id, error: String(error) }),
    );
  await Promise.all(slots.map(leave));
}
