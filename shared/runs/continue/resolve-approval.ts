import { isoTime } from "../../domain/iso-time.ts";
import { countOpen, waitsForApproval } from "../../engine/pause/count-open.ts";
import { isSame } from "../../engine/pause/edit-call.ts";
import { notFound, ServiceError } from "../../errors.ts";
import { requireQueue, wakeWorker } from "../../queue/run-queue.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { ContinuedRun, ResolvedApproval } from "../../schemas/runs/resolve-approval.ts";
import {
  getApproval,
  getApprovals,
  type StoredApproval,
  wireApproval,
} from "../../stores/approvals/approval-item.ts";
import {
  type ApprovalResolution,
  approvalIds,
  recordResolution,
} from "../../stores/approvals/end-approvals.ts";
import { getJob } from "../../stores/jobs/job-item.ts";
import { retryUntilWritten } from "../../stores/retry-until-written.ts";
import { nextEventIndex } from "../../stores/runs/events.ts";
import { getRun } from "../../stores/runs/get-run.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { getSessionHead } from "../../stores/sessions/session-item.ts";
import { pinOf } from "../component.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { answerPaused } from "./answer-all.ts";
import { queuePausedRun, shownAnswersOf } from "./continue-in-queue.ts";
import type { ContinueForm } from "./continuing.ts";

/** What an approver says. */
export type Decision = ApprovalResolution & {
  readonly status: "approved" | "rejected";
  /** Epoch seconds. */
  readonly resolved_at: number;
};

/**
 * Resolves a pending approval. Another request continues its run.
 *
 * @throws ServiceError CONFLICT where it is resolved or expired; NOT_FOUND where it was removed meanwhile
 */
export async function resolveOnly(
  { db }: Pick<RunsDeps, "db">,
  approval: StoredApproval,
  decision: Decision,
): Promise<ResolvedApproval> {
  if (approval.status !== "pending") throw resolvedAlready(approval);
  refusePending(approval, decision.resolved_at);
  const result = await recordResolution(db, approval.id, decision);
  if (result.recorded) return wireApproval(result.approval);
  if (!result.seen) throw notFound("approval", approval.id);
  throw resolvedAlready(result.seen);
}

/**
 * Resolves an approval and has its run go on in the queue, in the name of the one who asked for it: its job has that
 * user, by whom limits and budgets are counted. Resolution, job and run are written all or nothing, so that no process
 * can die between them; the same request again finds what it wrote.
 *
 *   approval   run                          written
 *   pending    waits for this alone         resolution, answered run, queued job
 *   pending    waits for more too          resolution
 *   pending    is not paused at it          nothing, 409
 *   resolved   waits for this alone         answered run, queued job
 *   resolved   waits for more, or went on   nothing; a run that waits for a worker is sent a wake-up again
 *
 * @decided  The right to resolve is enough: the run was admitted when it was requested, and the approver adds nothing
 *           to it. A full queue does not refuse it, as it does not refuse another continuation.
 * @throws ServiceError CONFLICT where the approval is decided otherwise or expired, its run is gone or not paused at it,
 *         its component is gone, or a tool has changed; QUEUE_DISABLED where the queue is off
 */
export async function resolveAndContinue(
  deps: RunsDeps,
  found: StoredApproval,
  decision: Decision,
): Promise<ResolvedApproval> {
  let seen: StoredApproval | undefined = found;
  const tryOnce = async () => {
    if (!seen) throw notFound("approval", found.id);
    const decided = decide(seen, decision);
    const run = await proceed(deps, decided, await requireItsRun(deps, seen));
    if (!run) seen = await getApproval(deps.db, found.id);
    return run && { ...wireApproval(decided.approval), run };
  };
  const others = `approval ${found.id} or its run changed while it was being resolved; resolve it again`;
  return retryUntilWritten(tryOnce, () => new ServiceError("CONFLICT", others));
}

/** An approval as it is once it is decided, and the resolution to write where it is not decided yet. */
type DecidedApproval = { readonly approval: StoredApproval; readonly resolution?: Decision };

/**
 * An approval with a decision. The same decision again, by whomever, changes nothing: the first one stands.
 *
 * @throws ServiceError CONFLICT where it is decided otherwise, with other data, or is expired
 */
function decide(approval: StoredApproval, decision: Decision): DecidedApproval {
  if (approval.status === "pending") {
    refusePending(approval, decision.resolved_at);
    return { approval: { ...approval, ...decision }, resolution: decision };
  }
  const { status, resolution_data, edited_args } = decision;
  const says =
    (resolution_data === undefined || isSame(resolution_data, approval.resolution_data)) &&
    (edited_args === undefined || isSame(edited_args, approval.edited_args));
  if (approval.status !== status || !says) throw resolvedAlready(approval);
  return { approval };
}

/** @throws ServiceError CONFLICT for a pending approval whose time is over. @param now epoch seconds */
function refusePending({ id, expires_at }: StoredApproval, now: number): void {
  if (expires_at === null || expires_at > now) return;
  throw new ServiceError("CONFLICT", `approval ${id} expired at ${isoTime(expires_at)}`);
}

const resolvedAlready = ({ id, status }: StoredApproval): ServiceError =>
  new ServiceError("CONFLICT", `approval ${id} is ${status} already`);

/** @throws ServiceError CONFLICT when it was removed with its session */
async function requireItsRun(
  { db, clock }: RunsDeps,
  { id, owner, session_id, run_id }: StoredApproval,
): Promise<StoredRun> {
  const at = { owner, session_id, run_id };
  const [run, session] = await Promise.all([
    getRun(db, at, epochSeconds(clock)),
    getSessionHead(db, session_id),
  ]);
  if (run && session) return run;
  throw new ServiceError("CONFLICT", `the run of approval ${id} is gone; nothing can continue it`);
}

/** @returns undefined when something has changed since it was read: read it again */
async function proceed(
  deps: RunsDeps,
  decided: DecidedApproval,
  run: StoredRun,
): Promise<ContinuedRun | undefined> {
  const { approval, resolution } = decided;
  const isPausedAtIt = run.status === "PAUSED" && waitsForApproval(run.output, approval.id);
  if (!isPausedAtIt && resolution) {
    // Another request may have decided between the two reads.
    if ((await getApproval(deps.db, approval.id))?.status !== "pending") return undefined;
    throw new ServiceError(
      "CONFLICT",
      `run ${run.run_id} is ${run.status} and does not wait for approval ${approval.id}`,
    );
  }
  const approvals = (await getApprovals(deps.db, approvalIds(run.output))).map((one) =>
    one.id === approval.id ? approval : one,
  );
  const waits_for = run.status === "PAUSED" ? countOpen(run.output, approvals, deps.clock.now()) : 0;
  if (isPausedAtIt && waits_for === 0) return continueDecided(deps, decided, run, approvals);
  if (resolution) {
    const { recorded } = await recordResolution(deps.db, approval.id, resolution);
    if (!recorded) return undefined;
  } else if (run.queued && run.status === "PENDING") {
    // The write whose answer was lost may be this request's own: then its wake-up was not sent. A second one is harmless.
    await wakeWorker(deps, { id: run.run_id, user_id: run.output.user_id ?? null });
  }
  return { status: run.status, job_id: run.queued ? run.run_id : null, waits_for };
}

/** Only approvals answer: whatever else a run asks has to be answered by a continuation. */
const noAnswers = {
  tools: [],
  requirements: [],
  step_requirements: [],
  input: undefined,
  continue_from: "end",
  fork: false,
  regenerate: false,
  replace_original: false,
} as const satisfies Omit<ContinueForm, "session_id">;

async function continueDecided(
  deps: RunsDeps,
  { approval, resolution }: DecidedApproval,
  run: StoredRun,
  approvals: readonly StoredApproval[],
): Promise<ContinuedRun | undefined> {
  requireQueue(deps.settings);
  const { component_type: kind, component_id, run_id, session_id } = run;
  const [runnable, job, next_index] = await Promise.all([
    // Its run was admitted before; the approver need not be allowed to run it.
    deps.findRunnable(kind, component_id, pinOf(run)),
    run.queued ? getJob(deps.db, run_id, epochSeconds(deps.clock)) : undefined,
    nextEventIndex(deps.db, run),
  ]);
  if (!runnable) {
    throw new ServiceError(
      "CONFLICT",
      `${kind} ${component_id} is gone, so its run cannot go on; resolve without continue, or cancel the run`,
    );
  }
  if (job?.status === "queued" || job?.status === "running") return undefined;
  const form: ContinueForm = { ...noAnswers, session_id };
  const answering = { run, runnable, job, form, approvals, resolved_by: approval.resolved_by };
  const answered = await answerPaused(answering, deps);
  const resolutions = resolution ? [{ id: approval.id, resolution }] : [];
  const asked = { ...shownAnswersOf(form, kind), kwargs: {} };
  const paused = { run, job, answered: { ...answered, resolutions }, asked, next_index };
  if (!(await queuePausedRun(deps, paused))) return undefined;
  return { status: "PENDING", job_id: run_id, waits_for: 0 };
}
