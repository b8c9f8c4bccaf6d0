import { runStatusOf } from "../../domain/jobs/run-status-of-job.ts";
import { ServiceError } from "../../errors.ts";
import { EventStream, type Reply } from "../../http/handler.ts";
import { requireQueue, wakeWorker } from "../../queue/run-queue.ts";
import type { runRoutes } from "../../routes/runs.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { KeyedRun } from "../../stores/jobs/idempotency-key.ts";
import { jobOfRun, runOf, type StoredJob } from "../../stores/jobs/job-item.ts";
import { retryUntilWritten } from "../../stores/retry-until-written.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { ShownRun } from "../../stores/runs/run-row.ts";
import type { StoredTask } from "../../stores/runs/task-item.ts";
import { acceptRun } from "../../stores/transactions/accept-run.ts";
import { limitedUser, type RunsRequest, type TaskRequest } from "../component.ts";
import { type FramedRequest, followFrames } from "../foreground/event-frames.ts";
import { acceptedReply, answerRepeated, findRepeated, keyOf } from "../repeated-request.ts";
import type { RunsDeps } from "../runs-deps.ts";
import type { PlannedRun, SessionReading } from "./plan-run.ts";

type Request = RunsRequest<typeof runRoutes.createAgentRun> & TaskRequest & FramedRequest;

/** Who is notified of the run's end, in addition to registered endpoints. */
export type RunNotifications = { readonly [K in "callback" | "task_token"]: StoredRun[K] | undefined };

/** Reads the run's session, and plans the run from what was found there. */
export type Plan = {
  readonly read: () => Promise<SessionReading>;
  readonly planFrom: (reading: SessionReading) => Promise<PlannedRun>;
};

const definedOf = ({ callback, task_token }: RunNotifications) => ({
  ...(callback && { callback }),
  ...(task_token !== undefined && { task_token }),
});

/** The message that a run is to answer has another number by now: nothing was written. */
export class MessageChanged extends Error {
  override readonly name = "MessageChanged";
}

/** A hundred messages to one session at the same moment are accepted one after the other. */
const ACCEPTANCE_TRIES = 30;

/**
 * Accepts a run into the durable queue.
 *
 *   queue full?    ─▶ 429
 *   write (the acceptance) ─▶ wake-up ─▶ 202, or the record's events
 *
 * The wake-up may fail: the run is accepted all the same, and the sweeper sends it again.
 *
 * @source docs/interface/queue.md 3.1, 3.2
 */
export async function acceptBackgroundRun(
  request: Request,
  deps: RunsDeps,
  userId: string | null,
  notifications: RunNotifications,
  { read, planFrom }: Plan,
): Promise<ShownRun | Reply | EventStream> {
  requireQueue(deps.settings);
  const key = keyOf(request);
  const now = () => epochSeconds(deps.clock);
  const findOwn = () => findRepeated(request, deps, userId);
  const repeated = (run: KeyedRun) => answerRepeated(request, deps, run, notifications.task_token);
  // Beside the look at the queue, which it does not depend on; nothing is changed before there is room.
  const [first] = await Promise.all([read(), refuseWhenFull(deps, limitedUser(request.principal))]);
  let reading: SessionReading | undefined = first;
  const tryOnce = async () => {
    const found = reading ?? (await read());
    reading = undefined;
    // A live run may be that of the same request, accepted since: it is no other one, to be cancelled or waited for.
    const own = found.live.length > 0 && (await findOwn());
    if (own) return repeated(own);
    const planned = await planFrom(found);
    const job = jobOf(planned, request, deps, key);
    const run = { ...planned.run, queued: true, ...scheduledBy(request), ...definedOf(notifications) };
    const acceptance = await acceptRun(
      deps.db,
      {
        job,
        run,
        newSession: planned.newSession,
        turnIn: planned.admission.turnIn,
        task: taskOf(run, request),
        message: await request.late?.(run.run_id),
      },
      now(),
    );
    if (acceptance.accepted) {
      deps.depth.countAccepted();
      await wakeWorker(deps, job);
      return answer(request, deps, job);
    }
    if (acceptance.because === "message_changed") throw new MessageChanged();
    const meanwhile = acceptance.because === "duplicate" && (await findOwn());
    return meanwhile ? repeated(meanwhile) : undefined;
  };
  const conflict = "the session changed while the run was being accepted; submit it again";
  return retryUntilWritten(tryOnce, () => new ServiceError("CONFLICT", conflict), ACCEPTANCE_TRIES);
}

/** Best effort, as documented: submissions at the same moment may overshoot. */
async function refuseWhenFull({ depth, settings }: RunsDeps, userId: string | null): Promise<void> {
  const limits = { all: settings.MAX_QUEUE_DEPTH, ofUser: settings.MAX_QUEUED_PER_USER };
  const exceeded = await depth.exceeded(userId, limits);
  if (!exceeded) return;
  const why = {
    all: `the queue holds ${limits.all} waiting runs (MAX_QUEUE_DEPTH)`,
    ofUser: `you have ${limits.ofUser} runs waiting, as many as one user may have (MAX_QUEUED_PER_USER)`,
  };
  throw new ServiceError("QUEUE_FULL", `${why[exceeded]}; try again later`, {
    headers: { "retry-after": "5" },
  });
}

function jobOf(
  { run, admission }: PlannedRun,
  request: Request,
  { settings }: RunsDeps,
  idempotency_key: string | null,
): StoredJob {
  const { stream } = request.body;
  const available_at = run.output.created_at;
  return {
    ...jobOfRun({ run, stream, attempt: 0, budget: settings.MAX_ATTEMPTS, available_at }),
    ...(admission.waits_for.length > 0 && { waits_for: [...admission.waits_for] }),
    ...(admission.overlaps && { overlaps: true as const }),
    ...scheduledBy(request),
    ...(request.task && { task: true as const }),
    ...chatMessageOf(request),
    idempotency_key,
  };
}

/**
 * The schedule's attempt that requests the run. The header counts only from this platform's internal identity; from
 * others it is ignored.
 */
function scheduledBy({ principal, headers }: Pick<Request, "principal" | "headers">) {
  if (principal.kind !== "internal") return {};
  const [schedule_id = "", schedule_run_id = ""] = headers["x-schedule-run"]?.split("/") ?? [];
  return schedule_run_id === "" ? {} : { schedule_run: { schedule_id, schedule_run_id } };
}

/** The task record of a run that another agent's message starts. */
function taskOf(run: StoredRun, { task }: TaskRequest): StoredTask | undefined {
  if (!task) return undefined;
  const { run_id, session_id, owner, component_type, component_id, status, output } = run;
  const changed_at = output.created_at;
  return {
    ...{ run_id, session_id, owner, component_type, component_id, status, changed_at },
    ...task,
    replies: [],
  };
}

/** The chat message that the run answers; its header counts only from the internal identity too. */
function chatMessageOf({ principal, headers }: Pick<Request, "principal" | "headers">) {
  const chat_message = headers["x-chat-message"];
  return principal.kind === "internal" && chat_message !== undefined ? { chat_message } : {};
}

function answer(request: Request, deps: RunsDeps, job: StoredJob): Reply | EventStream {
  if (request.body.stream) return new EventStream(followFrames(request, deps, runOf(job)));
  return acceptedReply({ run_id: job.id, session_id: job.session_id, status: runStatusOf[job.status] });
}
