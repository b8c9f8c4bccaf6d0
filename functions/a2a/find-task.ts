import { type FileOfRun, MAX_BYTES } from "../../shared/a2a/output-files.ts";
import { givenFiles } from "../../shared/a2a/sent-parts.ts";
import type { TaskView } from "../../shared/a2a/task-of.ts";
import { callerOf } from "../../shared/auth/caller.ts";
import { listMedia } from "../../shared/domain/runs/output-media.ts";
import { findVisibleRun } from "../../shared/runs/index.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { fitsKey } from "../../shared/schemas/values/key-text.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getJob } from "../../shared/stores/jobs/job-item.ts";
import { getObject } from "../../shared/stores/objects/object-bytes.ts";
import { readEvents } from "../../shared/stores/runs/events.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import type { RunAddress } from "../../shared/stores/runs/run-keys.ts";
import { getTask } from "../../shared/stores/runs/task-item.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";

type Needs = Pick<A2aDeps, "db" | "clock">;
type Requester = Pick<A2aRequest, "principal" | "component">;

/**
 * The task with an id, if it is of the component and the caller may see it. By its id alone a run is found that a
 * message started, or that has a job; with its context any run.
 *
 * @source docs/interface/a2a.md 3.1
 */
export async function findTask(
  { principal, component }: Requester,
  { db, clock }: Needs,
  run_id: string,
  context?: string,
): Promise<TaskView | undefined> {
  if (!fitsKey(run_id) || !fitsKey(context ?? "")) return undefined;
  const now = epochSeconds(clock);
  const task = await getTask(db, run_id);
  const session_id = task?.session_id ?? context ?? (await getJob(db, run_id, now))?.session_id;
  if (session_id === undefined || (context !== undefined && context !== session_id)) return undefined;
  const address = { component, session_id, run_id };
  const run = await findVisibleRun(db, callerOf(principal), address, now);
  if (!run) return undefined;
  const [shown, goes_on_in] = await Promise.all([seen(db, run, task), secondsPostponed(db, run, now)]);
  return { ...shown, ...(goes_on_in !== undefined && { goes_on_in }) };
}

/** How long a run still waits for its model, which is not to be called now; undefined for one that does not. */
async function secondsPostponed(
  db: Needs["db"],
  { run_id, status }: StoredRun,
  now: number,
): Promise<number | undefined> {
  if (status !== "PENDING" && status !== "RUNNING") return undefined;
  const job = await getJob(db, run_id, now);
  if (job?.status !== "queued" || !job.postponed || job.available_at === null) return undefined;
  return Math.max(1, job.available_at - now);
}

/** The same task as it is now; undefined when it was removed. @param withFiles whether its files are read too */
export async function rereadTask(
  { db, clock }: Needs,
  at: RunAddress,
  withFiles = true,
): Promise<TaskView | undefined> {
  const [run, task] = await Promise.all([getRun(db, at, epochSeconds(clock)), getTask(db, at.run_id)]);
  return run && seen(db, run, task, withFiles);
}

async function seen(
  db: Needs["db"],
  run: StoredRun,
  task: TaskView["task"],
  withFiles = true,
): Promise<TaskView> {
  const [files, given] = withFiles ? await Promise.all([readFiles(db, run), readGivenFiles(db, run)]) : [];
  if (run.status !== "CANCELLED") return { run, task, ...(files && { files }), ...(given && { given }) };
  const { events } = await readEvents(db, run);
  const end = events.findLast((event) => event.run_id === run.run_id && "reason" in event);
  return { run, task, ...(given && { given }), ...(end && "reason" in end && { cancel_reason: end.reason }) };
}

/** The files that a run has made, with their contents; nothing is read for a run that has made none. */
const readFiles = (db: Db, { output }: StoredRun): Promise<FileOfRun[]> =>
  Promise.all(listMedia(output).map(([kind, medium]) => withContent(db, { kind, medium })));

/** The files that it was given, with the contents that fit into an answer. */
const readGivenFiles = (db: Db, { output }: StoredRun): Promise<FileOfRun[]> =>
  Promise.all(
    givenFiles(output.input).map((file) =>
      (file.medium.object?.bytes ?? 0) > MAX_BYTES ? file : withContent(db, file),
    ),
  );

async function withContent(db: Db, file: FileOfRun): Promise<FileOfRun> {
  const { object } = file.medium;
  return object ? { ...file, bytes: await getObject(db, object) } : file;
}
