import { type Clock, epochSeconds } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Meter } from "../runtime/metrics/meter.ts";
import type { Db } from "../stores/db.ts";
import type { ClaimOptions, Work } from "./define-work.ts";
import { type KeepOptions, type KeptLease, startHeartbeat } from "./lease.ts";

export type RunDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  readonly newWorkerId: () => string;
  /** Counts workers that died; a process without one counts none. */
  readonly meter?: Meter | undefined;
};

/** A record that a worker has leased. */
export type Leased<Stored> = Omit<KeptLease, "end"> & {
  readonly record: Stored;
  readonly worker: string;
};

/** What one execution may come to. */
export type Steps<Stored, Result> = {
  /** There is nothing to do, or another worker has it. */
  readonly idle: () => Promise<Result> | Result;
  /** It was claimed too often without any progress. */
  readonly exhausted: (leased: Leased<Stored>) => Promise<Result>;
  readonly work: (leased: Leased<Stored>) => Promise<Result>;
  /** After an error of the work. Where it is thrown, the lease is not released, and ends by itself. */
  readonly failed?: (leased: Leased<Stored>, error: unknown) => Promise<Result> | Result;
};

/**
 * One execution of a leased record. Any wake-up, however late or often it comes, may call this: of two workers one gets
 * the lease.
 */
export async function runWork<Stored extends object, Ref, Message extends object, Result>(
  work: Work<Stored, Ref, Message>,
  { db, clock, log, newWorkerId, meter }: RunDeps,
  ref: Ref,
  { idle, exhausted, work: execute, failed }: Steps<Stored, Result>,
  { claim, ...keep }: KeepOptions & { readonly claim?: ClaimOptions<Stored> } = {},
): Promise<Result> {
  const worker = newWorkerId();
  const lapsed = () => recordCrash({ log, meter }, work.kind);
  const record = await work.claim(db, ref, worker, epochSeconds(clock), { lapsed, ...claim });
  if (!record) return idle();
  const renew = (now: number) => work.renew(db, ref, worker, now);
  const lease = startHeartbeat({ clock, log }, { kind: work.kind, ...work.lease, renew }, keep);
  const leased = { ...lease, record, worker };
  try {
    if (work.retry.stallsOf(record) > work.retry.most) return await exhausted(leased);
    return await execute(leased);
  } catch (error) {
    if (!failed) throw error;
    return await failed(leased, error);
  } finally {
    await lease.end();
  }
}

/**
 * Counts a worker that ended without a word, when another takes over what it had in hand: Lambda ended its process, or an error
 * that nothing handles. One figure for all kinds of work, since CloudWatch charges for each.
 *
 * @param kind  of the work, for the line of the log
 */
export function recordCrash(
  { log, meter }: { readonly log: Pick<Log, "warn">; readonly meter?: Meter | undefined },
  kind: string,
): void {
  log.warn("a worker ended without a word, and another takes over", { kind });
  meter?.record({ Crashes: 1 }, undefined, { kind });
}
