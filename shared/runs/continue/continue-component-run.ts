import { callerOf } from "../../auth/caller.ts";
import { holdsApproving, whoApproves } from "../../auth/may-approve.ts";
import type { Principal } from "../../auth/principal.ts";
import { requireRunBy } from "../../auth/require-run.ts";
import { continuationOf } from "../../engine/pause/continuation-of.ts";
import { refuseUnlessPaused } from "../../engine/workflow/review/answer-requirement.ts";
import { ServiceError } from "../../errors.ts";
import type { EventStream, Reply } from "../../http/handler.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import { getApprovals, type StoredApproval } from "../../stores/approvals/approval-item.ts";
import { approvalIds } from "../../stores/approvals/end-approvals.ts";
import { getJob, type StoredJob } from "../../stores/jobs/job-item.ts";
import {
  type Cancellable,
  isCancellationLive,
  readCancellationById,
} from "../../stores/runs/run-cancellation.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { ShownRun } from "../../stores/runs/run-row.ts";
import { findComponent, pinOf, requireComponent } from "../component.ts";
import { linksFor } from "../feedback-links.ts";
import { visibleRun } from "../find-run.ts";
import { streamStartedRun, waitForStartedRun } from "../foreground/run-in-foreground.ts";
import { ownRequests } from "../own-requests.ts";
import { answerRepeated, answerTaken, type ClaimKey, findRepeated, keyClaimOf } from "../repeated-request.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { startForkedRun, startResumedRun } from "./continue-in-foreground.ts";
import { continueInQueue } from "./continue-in-queue.ts";
import { type Continuing, readContinueForm } from "./continuing.ts";

/**
 * Continues a run in one of the four modes of a new one.
 *
 *   its job waits, runs or is paused  → through the queue, with background=true only
 *   paused, failed                    → in the foreground, under its own id
 *   completed, fork, regenerate       → in the foreground, as a new run
 */
export async function continueComponentRun(
  request: Continuing["request"],
  deps: RunsDeps,
): Promise<ShownRun | Reply | EventStream> {
  const userId = callerOf(request.principal).user_id;
  const before = request.isKeyUnused ? undefined : await findRepeated(request, deps, userId);
  if (before) return answerRepeated(request, deps, before);
  return answerTaken(request, deps, userId, () =>
    continueOnce(request, deps, keyClaimOf(request, userId, deps)),
  );
}

async function continueOnce(
  request: Continuing["request"],
  deps: RunsDeps,
  claim: ClaimKey,
): Promise<ShownRun | Reply | EventStream> {
  const read = await readContinuation(request, deps);
  const linksOf = linksFor(deps, request, read.run.kwargs);
  const continuing = { ...read, request: { ...read.request, linksOf } };
  const { form, job } = continuing;
  refuseBackground(continuing);
  const isAnotherRun = form.fork || form.regenerate;
  if (job && isOpen(job) && !isAnotherRun) return continueInQueue(continuing, job, deps, claim);
  return continueInForeground(continuing, deps, claim);
}

async function readContinuation(request: Continuing["request"], deps: RunsDeps): Promise<Continuing> {
  const { component, params } = request;
  const { run_id } = params;
  await requireComponent(deps, component);
  const form = readContinueForm(request.body);
  const now = epochSeconds(deps.clock);
  const address = { component, session_id: form.session_id, run_id };
  const [found, byId] = await Promise.all([
    visibleRun(deps.db, callerOf(request.principal), address, now),
    readCancellationById(deps.db, run_id),
  ]);
  const run = withCancellation(found, byId, now);
  const runnable = await findComponent(deps, component, {
    ...pinOf(run),
    requireRun: requireRunBy(request.principal),
  });
  const approvals = await getApprovals(deps.db, approvalIds(run.output));
  await refuseUndecided(request.principal, approvals, deps);
  const job = run.queued ? await getJob(deps.db, run_id, now) : undefined;
  return { request, form, runnable, run, job, approvals };
}

/** A foreground run that was cancelled by its id while it was paused ends as soon as it is continued. */
const withCancellation = (run: StoredRun, byId: Cancellable, now: number): StoredRun =>
  run.status === "PAUSED" && !run.queued && isCancellationLive(byId, now) ? { ...run, ...byId } : run;

/**
 * Refuses background=true for a workflow run that was started in the foreground. Runs of agents and teams are continued
 * in the foreground whatever the request says.
 */
function refuseBackground({ request, runnable, job, run }: Continuing): void {
  if (runnable.kind !== "workflow" || job || !request.body.background) return;
  throw new ServiceError(
    "CONFLICT",
    `run ${run.run_id} was started in the foreground; continue it with background=false`,
  );
}

const isOpen = ({ status }: StoredJob): boolean =>
  status === "queued" || status === "running" || status === "paused";

async function continueInForeground(
  continuing: Continuing,
  deps: RunsDeps,
  claim: ClaimKey,
): Promise<ShownRun | Reply | EventStream> {
  const { request, runnable, run, form } = continuing;
  const mode = runnable.kind === "workflow" ? refuseUnlessPaused(run) : continuationOf(run, form);
  const start = mode === "fork" ? startForkedRun : startResumedRun;
  const started = await start(continuing, deps, claim);
  return request.body.stream
    ? streamStartedRun(request, deps, runnable, started)
    : waitForStartedRun(request, deps, runnable, started);
}

/**
 * Refuses to continue past a pending approval, except for holders of the scope to resolve approvals. Where a requester never
 * resolves their own request, the scope does not help with that.
 *
 * @throws ServiceError UNAUTHORIZED
 * @source docs/interface/runs.md 7.3
 */
async function refuseUndecided(
  principal: Principal,
  approvals: readonly StoredApproval[],
  { db, settings: { APPROVERS, ADMIN_SCOPE } }: Pick<RunsDeps, "db" | "settings">,
): Promise<void> {
  const open = approvals.filter(
    ({ status, approval_type }) => status === "pending" && approval_type === "required",
  );
  if (open.length === 0) return;
  const isOwn = await ownRequests(
    db,
    principal,
    open.map(({ user_id }) => user_id),
    APPROVERS,
  );
  const pending = open.find(({ user_id }) => !holdsApproving(principal) || isOwn(user_id));
  if (!pending) return;
  const who = whoApproves(APPROVERS, ADMIN_SCOPE);
  throw new ServiceError(
    "UNAUTHORIZED",
    `approval ${pending.id} of this run is pending; it must be resolved by ${who}`,
  );
}
