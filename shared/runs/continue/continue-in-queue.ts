import { ServiceError } from "../../errors.ts";
import { EventStream, Reply } from "../../http/handler.ts";
import { requireQueue } from "../../queue/require-queue.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { AcceptedRun } from "../../schemas/runs/run.ts";
import type { ContinueRunForm } from "../../schemas/runs/run-forms.ts";
import { getJob } from "../../stores/jobs/get-job.ts";
import type { StoredJob } from "../../stores/jobs/job-item.ts";
import { nextEventIndex } from "../../stores/runs/events.ts";
import { followFrames } from "../foreground/follow-frames.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { answerAll } from "./answer-all.ts";
import { changedConcurrently } from "./continue-in-foreground.ts";
import type { Continuing } from "./continuing.ts";
import { queuePausedRun, shownAnswersOf } from "./queue-paused-run.ts";

/**
 * Continues a run whose job is open. The job's own row is queued again, and its checkpoint is the answered state, from
 * which a worker resumes. There is never a second row.
 *
 *   job       background=true                        background=false
 *   paused    queued again: 202, or its new events   409
 *   queued    by a continuation: follows it          409
 *   running   409, retry in a second                 409
 *
 * @source contract, runs-and-queue 10.8
 */
export async function continueInQueue(
  continuing: Continuing,
  job: StoredJob,
  deps: RunsDeps,
): Promise<Reply | EventStream> {
  refuseMode(continuing.request.body, job);
  // Read before the write: events from this index on are the new ones.
  const from = await nextEventIndex(deps.db, continuing.run);
  if (job.status !== "paused") return join(continuing, job, deps, from);
  requireQueue(deps.settings);
  if (await queueAgain(continuing, job, deps, from)) return answer(continuing, deps, from);
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
  throw new ServiceError("CONFLICT", `run ${job.id} is ${job.status}: it goes on by itself`, {
    headers: { "retry-after": "1" },
  });
}

async function queueAgain(
  continuing: Continuing,
  job: StoredJob,
  deps: RunsDeps,
  next_index: number,
): Promise<boolean> {
  const { run, request, form, runnable } = continuing;
  const answered = await answerAll(continuing, deps);
  const asked = { ...shownAnswersOf(form, runnable.kind), kwargs: kwargsOf(request.body) };
  return queuePausedRun(deps, { run, job, answered, asked, next_index });
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
  const { run_id, session_id } = run;
  if (request.body.stream) return new EventStream(followFrames(request, deps, run, from));
  return new Reply(202, { run_id, session_id, status: "PENDING" } satisfies AcceptedRun);
}
