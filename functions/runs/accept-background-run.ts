import { runStatusOf } from "../../shared/domain/run-of-job.ts";
import { ServiceError } from "../../shared/errors.ts";
import { EventStream, Reply } from "../../shared/http/handler.ts";
import { requireQueue } from "../../shared/queue/require-queue.ts";
import type { runRoutes } from "../../shared/routes/runs.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { AcceptedRun } from "../../shared/schemas/run.ts";
import { getJob } from "../../shared/stores/jobs/get-job.ts";
import { findDuplicate } from "../../shared/stores/jobs/idempotency-key.ts";
import type { StoredJob } from "../../shared/stores/jobs/job-item.ts";
import { runOf } from "../../shared/stores/run-of-job.ts";
import { acceptRun } from "../../shared/stores/transactions/accept-run.ts";
import { untilWon } from "../../shared/stores/until-won.ts";
import { followFrames } from "./follow-frames.ts";
import type { RunsRequest } from "./of-kind.ts";
import type { PlannedRun } from "./plan-run.ts";
import type { RunsDeps } from "./runs-deps.ts";

type Request = RunsRequest<typeof runRoutes.createAgentRun>;

const MAX_KEY_LENGTH = 512;

/**
 * Accepts a run into the durable queue.
 *
 *   duplicate key? ─▶ the original's answer
 *   queue full?    ─▶ 429
 *   write (the acceptance) ─▶ wake-up ─▶ 202, or the record's events
 *
 * The wake-up may fail: the run is accepted all the same, and the sweeper sends it again.
 *
 * @source contract, runs-and-queue 10.4
 */
export async function acceptBackgroundRun(
  request: Request,
  deps: RunsDeps,
  userId: string | null,
  plan: () => Promise<PlannedRun>,
): Promise<Reply | EventStream> {
  requireQueue(deps.settings);
  const key = keyOf(request);
  const duplicate = key && (await findDuplicate(deps.db, userId, key, epochSeconds(deps.clock)));
  if (duplicate) return answerDuplicate(request, deps, duplicate);
  await refuseWhenFull(deps);
  const tryOnce = async () => {
    const planned = await plan();
    const job = jobOf(planned, request, deps, key);
    const run = { ...planned.run, queued: true };
    const acceptance = await acceptRun(
      deps.db,
      { job, run, newSession: planned.newSession, turnIn: planned.admission.turnIn },
      epochSeconds(deps.clock),
    );
    if (acceptance.accepted) {
      deps.depth.noteAccepted();
      await wake(deps, job);
      return answer(request, deps, job);
    }
    if (acceptance.because === "duplicate") {
      const original = await getJob(deps.db, acceptance.job_id, epochSeconds(deps.clock));
      if (original) return answerDuplicate(request, deps, original);
    }
    return undefined;
  };
  const others = "the session changed while the run was being accepted; submit it again";
  return untilWon(tryOnce, () => new ServiceError("CONFLICT", others));
}

/** The key as its user gave it; empty means none. */
function keyOf(request: Request): string | null {
  const key = request.headers["idempotency-key"] ?? "";
  if (key.length > MAX_KEY_LENGTH) {
    throw new ServiceError("UNPROCESSABLE", `Idempotency-Key is longer than ${MAX_KEY_LENGTH} characters`);
  }
  return key === "" ? null : key;
}

/** Best effort, as documented: submissions at the same moment may overshoot. */
async function refuseWhenFull(deps: RunsDeps): Promise<void> {
  const limit = deps.settings.MAX_QUEUE_DEPTH;
  if (limit === 0 || (await deps.depth.hasRoom(limit))) return;
  throw new ServiceError("QUEUE_FULL", `the queue holds ${limit} waiting runs; try again later`, {
    headers: { "retry-after": "5" },
  });
}

function jobOf(
  { run, admission }: PlannedRun,
  request: Request,
  deps: RunsDeps,
  key: string | null,
): StoredJob {
  const { created_at, input, user_id } = run.output;
  return {
    id: run.run_id,
    component_type: run.component_type,
    component_id: run.component_id,
    session_id: run.session_id,
    job_type: "run",
    user_id: user_id ?? null,
    owner: run.owner,
    payload: {
      input: input.input_content,
      kwargs: run.kwargs,
      ...(run.component_version !== undefined && { version: run.component_version }),
      ...(request.body.stream && { stream: true as const }),
    },
    status: "queued",
    attempt: 0,
    max_attempts: deps.settings.MAX_ATTEMPTS,
    attempt_ceiling: deps.settings.MAX_ATTEMPTS,
    ...(admission.waits_for.length > 0 && { waits_for: [...admission.waits_for] }),
    ...scheduledBy(request),
    idempotency_key: key,
    available_at: created_at,
    locked_by: null,
    locked_at: null,
    error: null,
    created_at,
    updated_at: null,
    completed_at: null,
  };
}

/**
 * The attempt of a schedule that asks for the run. Only this platform's own identity can say so: what others write
 * there is nothing to us.
 */
function scheduledBy({ principal, headers }: Pick<Request, "principal" | "headers">) {
  if (principal.kind !== "internal") return {};
  const [schedule_id = "", schedule_run_id = ""] = headers["x-schedule-run"]?.split("/") ?? [];
  return schedule_run_id === "" ? {} : { schedule_run: { schedule_id, schedule_run_id } };
}

async function wake(deps: RunsDeps, job: StoredJob): Promise<void> {
  await deps.queue
    .send({ job_id: job.id, user_id: job.user_id })
    .catch((error) => deps.log.warn("wake-up not sent", { job_id: job.id, error: String(error) }));
}

function answerDuplicate(request: Request, deps: RunsDeps, original: StoredJob): Reply | EventStream {
  const { kind, id } = request.component;
  if (original.component_type !== kind || original.component_id !== id) {
    throw new ServiceError("CONFLICT", "this Idempotency-Key was used for another component");
  }
  if (request.body.stream && !original.payload.stream) {
    throw new ServiceError(
      "CONFLICT",
      "this Idempotency-Key was used for a run without a stream; poll that run instead",
    );
  }
  return answer(request, deps, original);
}

function answer(request: Request, deps: RunsDeps, job: StoredJob): Reply | EventStream {
  if (!request.body.stream) {
    const accepted: AcceptedRun = {
      run_id: job.id,
      session_id: job.session_id,
      status: runStatusOf[job.status],
    };
    return new Reply(202, accepted);
  }
  return new EventStream(followFrames(request, deps, runOf(job)));
}
