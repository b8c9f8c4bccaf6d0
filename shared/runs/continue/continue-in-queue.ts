import type { Write } from "../../data/index.ts";
import type { RunnableKind } from "../../engine/define/runnable.ts";
import { ServiceError } from "../../errors.ts";
import { EventStream, type Reply } from "../../http/handler.ts";
import { requireQueue, wakeWorker } from "../../queue/run-queue.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { JobPayload } from "../../schemas/queue/queue-job.ts";
import type { ContinueRunForm } from "../../schemas/runs/run-forms.ts";
import { getJob, jobOfRun, type StoredJob } from "../../stores/jobs/job-item.ts";
import { packCheckpoint } from "../../stores/runs/checkpoint.ts";
import { nextEventIndex } from "../../stores/runs/events.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { continueInTurn } from "../../stores/transactions/continue-in-turn.ts";
import { followFrames } from "../foreground/event-frames.ts";
import { carryCancellation } from "../foreground/move-to-queue.ts";
import { acceptedReply, type ClaimKey } from "../repeated-request.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { type Answered, answerAll } from "./answer-all.ts";
import { type ContinueForm, type Continuing, changedConcurrently } from "./continuing.ts";

/**
 * Continues a run whose job is open. The job's own row is queued again, and its checkpoint is the answered state, from
 * which a worker resumes. There is never a second row.
 *
 *   job       background=true                        background=false
 *   paused    queued again: 202, or its new events   409
 *   queued    by a continuation: follows it          409
 *   running   409, retry in a second                 409
 *
 * @source docs/interface/queue.md 5.1
 */
export async function continueInQueue(
  continuing: Continuing,
  job: StoredJob,
  deps: RunsDeps,
  claim: ClaimKey,
): Promise<Reply | EventStream> {
  refuseMode(continuing.request.body, job);
  // Read before the write: events from this index on are the new ones.
  const from = await nextEventIndex(deps.db, continuing.run);
  if (job.status !== "paused") return join(continuing, job, deps, from);
  requireQueue(deps.settings);
  const key = claim({ ...continuing.run, from }, epochSeconds(deps.clock));
  if (await queueAgain(continuing, job, deps, { next_index: from, key }))
    return answer(continuing, deps, from);
  const current = await getJob(deps.db, job.id, epochSeconds(deps.clock));
  if (current?.status !== "queued" && current?.status !== "running")
    throw changedConcurrently(continuing.run);
  return join(continuing, current, deps, from);
}

/** @throws ServiceError CONFLICT where the run was submitted in another mode than it is continued in */
function refuseMode({ background, stream }: ContinueRunForm, { id, payload }: StoredJob): void {
  if (!background) {
    throw new ServiceError("CONFLICT", `run ${id} was queued; continue it with background=true`);
  }
  if (stream && !payload.stream) {
    throw new ServiceError(
      "CONFLICT",
      `run ${id} was submitted without a stream; continue it with stream=false and poll it`,
    );
  }
}

/** Another request continued the run first: its answers count, and this request follows the same run. */
function join(continuing: Continuing, job: StoredJob, deps: RunsDeps, from: number): Reply | EventStream {
  if (job.status === "queued" && job.payload.continue) return answer(continuing, deps, from);
  throw new ServiceError("CONFLICT", `run ${job.id} is ${job.status}: it continues by itself`, {
    headers: { "retry-after": "1" },
  });
}

async function queueAgain(
  continuing: Continuing,
  job: StoredJob,
  deps: RunsDeps,
  claimed: Pick<PausedRun, "next_index" | "key">,
): Promise<boolean> {
  const { run, request, form, runnable } = continuing;
  const answered = await answerAll(continuing, deps);
  const asked = { ...shownAnswersOf(form, runnable.kind), kwargs: kwargsOf(request.body) };
  return queuePausedRun(deps, { run, job, answered, asked, ...claimed });
}

const ownFields: ReadonlySet<string> = new Set([
  "tools",
  "requirements",
  "step_requirements",
  "session_id",
  "user_id",
  "stream",
  "background",
  "stream_events",
  "input",
  "continue_from",
  "fork",
  "regenerate",
  "replace_original",
  "additional_instructions",
]);

/** Fields that the platform itself does not act on. */
const kwargsOf = (form: ContinueRunForm): Record<string, unknown> =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !ownFields.has(name)));

function answer({ run, request }: Continuing, deps: RunsDeps, from: number): Reply | EventStream {
  if (request.body.stream) return new EventStream(followFrames(request, deps, run, from));
  return acceptedReply({ ...run, status: "PENDING" });
}

type ShownAnswers = NonNullable<JobPayload["continue"]>;

type PausedRun = {
  readonly run: StoredRun;
  /** Its job; undefined for a run that paused in the foreground and has none. */
  readonly job: StoredJob | undefined;
  readonly answered: Answered;
  /** What the job's payload shows of the continuation. */
  readonly asked: ShownAnswers;
  /** Index of its next event. */
  readonly next_index: number;
  /** Claims the idempotency key of the request. */
  readonly key?: Write | undefined;
};

/**
 * Queues a paused run with its answers; a worker resumes it from them, as one more attempt. A run without a job gets one
 * in the same write.
 *
 *   run PAUSED, job paused or none ─▶ (one transaction: run PENDING, job queued, approvals resolved) ─▶ wake-up
 *
 * @returns false when the run, its job or an approval has changed since it was read: nothing was written
 */
export async function queuePausedRun(
  deps: RunsDeps,
  { run, job, answered, asked, next_index, key }: PausedRun,
): Promise<boolean> {
  const now = epochSeconds(deps.clock);
  const { state, output, resolutions, recorded } = answered;
  const row = job ?? jobOfPaused(deps, run, now);
  const continued = await continueInTurn(deps.db, {
    run,
    output: { ...output, status: "PENDING" },
    attempt: run.attempt,
    checkpoint: packCheckpoint({ state, continues: true, next_index }),
    job: { row, asked, isNew: job === undefined },
    resolutions,
    recorded,
    key,
    now,
  });
  if (!continued) return false;
  deps.depth.countAccepted();
  // Side by side: whether a cancellation can be read or not, a wake-up is sent to the worker.
  await Promise.all([wakeWorker(deps, row), job ? undefined : carryCancellation(deps, run, now)]);
  return true;
}

/** It has as many attempts as a job that is continued: one. In the foreground its request named no policy for the queue. */
const jobOfPaused = ({ settings }: RunsDeps, run: StoredRun, now: number): StoredJob => ({
  ...jobOfRun({ run, stream: false, attempt: run.attempt, budget: run.attempt + 1, available_at: now }),
  ...(settings.SESSION_POLICY === "parallel" && { overlaps: true as const }),
});

/** What the job's payload shows of answers. @source docs/interface/queue.md 1.3 */
export function shownAnswersOf(
  { tools, requirements, step_requirements, input }: ContinueForm,
  kind: RunnableKind,
): Omit<ShownAnswers, "kwargs"> {
  if (kind === "workflow") return { step_requirements: [...step_requirements] };
  const common = { input: input ?? null, continue_from: "end" };
  return kind === "team"
    ? { requirements: [...requirements], ...common }
    : { updated_tools: [...tools], ...common };
}
