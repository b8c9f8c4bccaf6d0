import type { Caller } from "../auth/caller.ts";
import { notFound, ServiceError } from "../errors.ts";
import { noteOwner } from "../runtime/audit-scope.ts";
import type { Db } from "../stores/db.ts";
import { getJob, runOf } from "../stores/jobs/job-item.ts";
import { getRun } from "../stores/runs/get-run.ts";
import { isNested, type StoredRun } from "../stores/runs/run-item.ts";
import type { RunAddress } from "../stores/runs/run-keys.ts";
import { getSessionHead } from "../stores/sessions/session-item.ts";
import type { Component } from "./component.ts";

/**
 * A run that the caller may see. Without its session a run is found by its job; a foreground run has none and is not
 * found.
 *
 * @param now  epoch seconds
 */
export async function findRun(
  db: Db,
  caller: Caller,
  { session_id, ...address }: Omit<RunQuery, "session_id"> & { readonly session_id: string | undefined },
  now: number,
): Promise<StoredRun | undefined> {
  if (session_id !== undefined) return findVisibleRun(db, caller, { ...address, session_id }, now);
  const job = caller.seesAll ? await getJob(db, address.run_id, now) : undefined;
  const run = job && (await getRun(db, runOf(job), now));
  return run && isRunOf(address.component, run) ? noted(run) : undefined;
}

/**
 * A user names the session of a run; an admin may leave it out where the run is queued.
 *
 * @throws ServiceError BAD_REQUEST
 */
export function requireSessionId({ seesAll }: Caller, session_id: string | undefined): void {
  if (seesAll || session_id !== undefined) return;
  throw new ServiceError("BAD_REQUEST", "session_id is required: name the session that the run belongs to");
}

/** An admin who acts on a run of another user is recorded. */
function noted(run: StoredRun): StoredRun {
  noteOwner(run.owner);
  return run;
}

type RunQuery = {
  readonly component: Component;
  readonly session_id: string;
  readonly run_id: string;
};

/**
 * A run that the caller may see. A caller's own id is part of the key that is read; only for an admin the owner is
 * looked up.
 *
 * @param now  epoch seconds
 * @source docs/interface/runs.md 1.2
 */
export async function findVisibleRun(
  db: Db,
  caller: Caller,
  { component, ...address }: RunQuery,
  now: number,
): Promise<StoredRun | undefined> {
  const run = caller.seesAll
    ? await runForAdmin(db, address, now)
    : await runOfSession(db, { ...address, owner: caller.user_id }, now);
  return run && isRunOf(component, run) && !isNested(run) ? noted(run) : undefined;
}

/** Compares the kind too: the scope that admitted the request is for this kind, and ids of two kinds may be the same. */
const isRunOf = ({ kind, id }: Component, run: StoredRun): boolean =>
  run.component_type === kind && run.component_id === id;

/** The same, or @throws ServiceError NOT_FOUND, with one text for every cause. */
export async function visibleRun(db: Db, caller: Caller, address: RunQuery, now: number): Promise<StoredRun> {
  const run = await findVisibleRun(db, caller, address, now);
  if (!run) throw notFound("run", address.run_id);
  return run;
}

async function runForAdmin(
  db: Db,
  address: Omit<RunQuery, "component">,
  now: number,
): Promise<StoredRun | undefined> {
  const session = await getSessionHead(db, address.session_id);
  return session && getRun(db, { ...address, owner: session.user_id }, now);
}

/** The runs of a session that is being removed still exist for a while, but are not shown. */
async function runOfSession(db: Db, at: RunAddress, now: number): Promise<StoredRun | undefined> {
  const [run, session] = await Promise.all([getRun(db, at, now), getSessionHead(db, at.session_id)]);
  return session && run;
}
