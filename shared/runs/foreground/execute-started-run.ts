import type { Runnable } from "../../engine/define/runnable.ts";
import { cancelledRun } from "../../engine/lifecycle/cancel-run.ts";
import { type ExecutedRun, endRun } from "../../engine/lifecycle/end-run.ts";
import { endSuspendedRun } from "../../engine/lifecycle/end-suspended-run.ts";
import { executeRun } from "../../engine/lifecycle/execute-run.ts";
import type { Suspended } from "../../engine/lifecycle/execute-runnable.ts";
import { inboxEnding } from "../../engine/lifecycle/inbox.ts";
import { recordEnding, recordFailure } from "../../engine/lifecycle/record-ending.ts";
import { wakeSession } from "../../engine/lifecycle/wake-waiting.ts";
import type { StateChanged } from "../../engine/ports/session-state.ts";
import { executionTimeout, RunStopped, runCancelled } from "../../engine/run/next-step.ts";
import type { RunOutcome } from "../../engine/run/run-outcome.ts";
import { FunctionTimeout } from "../../http/deadline.ts";
import type { HandlerRequest } from "../../http/handler.ts";
import type { runRoutes } from "../../routes/runs.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { RecordedEvent } from "../../schemas/runs/run-event.ts";
import { isConflictOf, isEndOf } from "../../stores/runs/event-base.ts";
import { isCancellationLive, readRunCancellation } from "../../stores/runs/run-cancellation.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { commitEnding } from "../../stores/transactions/commit-ending.ts";
import { endSlice } from "../execute/execute-job-slice.ts";
import type { RunsDeps } from "../runs-deps.ts";
import type { FramedRequest } from "./event-frames.ts";
import { leaveSlots, type StartedRun } from "./foreground-slot.ts";
import { type Handing, handOffToQueue, moveToQueue } from "./move-to-queue.ts";
import { unlessTimeIsUp, watchTime } from "./watch-time.ts";

export type ForegroundRequest = Pick<
  HandlerRequest<typeof runRoutes.createAgentRun>,
  "signal" | "principal" | "invocation"
> &
  FramedRequest & {
    readonly body: {
      readonly stream: boolean;
      readonly stream_events: boolean;
      readonly background?: boolean;
    };
  };

/** Who is notified of what happens in an execution. */
export type RunListener = {
  /** Called with each event as it happens; with the terminal event only once it is stored. */
  readonly send?: (event: RecordedEvent) => void;
  /** Called when the run has a job while it is still executed here: its client need not wait any longer. */
  readonly gotJob?: () => void;
  /** Called with each change of the session's state. */
  readonly stateChanged?: StateChanged | undefined;
};

/** Returned instead of an outcome when the run has a job by now, under which it ends. */
export const HAS_JOB = "HAS_JOB";

/**
 * Executes a started run and writes how it ended. A run that takes longer than its client is kept waiting gets a job:
 * the step that is under way is finished here where the function may work on after its answer, and the rest is handed
 * off to the queue.
 */
export async function executeStartedRun(
  request: ForegroundRequest,
  deps: RunsDeps,
  runnable: Runnable,
  started: StartedRun,
  { send = () => {}, gotJob = () => {}, stateChanged }: RunListener,
): Promise<RunOutcome | typeof HAS_JOB> {
  const { run, from, stateRead, pending, nextIndex = 0, continues = false } = started;
  const handing = { run, stream: request.body.stream, startedAt: epochSeconds(deps.clock) };
  const stops = watchStops(request, deps, started, handing, gotJob);
  const { stop, time } = stops;
  let leaving: Promise<void> | undefined;
  let mayHaveJob = false;
  const onEvent = (event: RecordedEvent) => {
    if (!isEndOf(run.run_id, event)) send(event);
  };
  try {
    const executed = await executeRun(deps, runnable, run, {
      attempt: run.attempt,
      signal: stop.signal,
      onEvent,
      stateChanged,
      nextIndex,
      stateRead,
      pending,
      ...(from && { from }),
      isNew: from === undefined && !continues,
      ...(continues && { continues }),
      beforeStep: time.loseIfStale,
      shouldYield: time.shouldYield,
    }).catch(unlessTimeIsUp);
    leaving = leaveSlots(deps, started.slots);
    const execution = await time.underJob();
    if (execution === "unknown") {
      if (isOver(executed)) throw new Error("it is not known whether the run has a job");
    } else if (execution) {
      if (!executed) throw new Error("a run was cut off although it had a job");
      await endSlice({ deps, execution, runnable, run: { ...run, queued: true }, stop }, executed);
      return HAS_JOB;
    }
    mayHaveJob = !isOver(executed);
    const ended = isOver(executed)
      ? executed
      : await handOverOrEnd({ deps, runnable, handing, stop, onEvent }, executed);
    if (ended === HAS_JOB) return HAS_JOB;
    mayHaveJob = false;
    const { outcome, events, traced, sent } = ended;
    const written = await writeEnding(deps, started, { outcome, events });
    for (const event of written)
      if (isEndOf(run.run_id, event) || isConflictOf(run.run_id, event)) send(event);
    await traced;
    // Whoever collects traces may be slow, or away.
    const { afterAnswer } = request.invocation;
    if (afterAnswer) afterAnswer(sent);
    else await sent;
    return outcome;
  } catch (error) {
    const execution = await time.underJob();
    // Where it is unknown whether it has a job, the job's lock or the run's lease goes stale.
    if (execution === "unknown" || mayHaveJob) throw error;
    if (execution) return leaveToSweeper(deps, run, error);
    await recordBrokenOff(deps, run);
    throw error;
  } finally {
    await Promise.all([stops.end(), leaving ?? leaveSlots(deps, started.slots)]);
  }
}

/** The lock of the run's job goes stale, or another process has it already; the sweeper takes care of the run. */
function leaveToSweeper({ log }: RunsDeps, { run_id }: StoredRun, error: unknown): typeof HAS_JOB {
  if (error instanceof RunStopped && error.kind === "lost") {
    log.warn("execution lost its lock; nothing more was written", { job_id: run_id });
  } else log.error("a job could not be processed", { job_id: run_id, error });
  return HAS_JOB;
}

const isOver = (executed: ExecutedRun | ExecutedRun<Suspended> | undefined): executed is ExecutedRun =>
  executed !== undefined && executed.outcome.status !== "YIELDED";

/**
 * Everything that stops a run before its end: its timeout, the end of its function, a cancellation, and the time that
 * its client is kept waiting.
 */
function watchStops(
  request: ForegroundRequest,
  deps: RunsDeps,
  started: StartedRun,
  handing: Handing,
  gotJob: () => void,
) {
  const { run } = started;
  const stop = new AbortController();
  const seconds = deps.settings.EXECUTION_TIMEOUT_SECONDS;
  const timeout = setTimeout(() => stop.abort(executionTimeout(seconds)), seconds * 1000);
  const stopForClient = () => stop.abort(new RunStopped("cancelled", whyLeft(request.signal)));
  const { waitLimits, afterAnswer } = request.invocation;
  const cancellation = watchCancellation(deps, run, stop);
  const time = watchTime({
    deps,
    handing,
    times: timesOf(request, deps, started),
    functionTimes: afterAnswer && !request.body.stream ? waitLimits?.stream : undefined,
    stop,
    gotJob: () => {
      // From now on it is recorded on the job, whose lock shows it.
      cancellation.end();
      gotJob();
    },
  });
  request.signal.addEventListener("abort", stopForClient, { once: true });
  if (request.signal.aborted) stopForClient();
  // A cancellation that was recorded at the moment of its pause.
  if (isCancellationLive(run, epochSeconds(deps.clock))) stop.abort(runCancelled());
  return {
    stop,
    time,
    end: async () => {
      clearTimeout(timeout);
      cancellation.end();
      request.signal.removeEventListener("abort", stopForClient);
      await time.end();
    },
  };
}

type Executing = {
  readonly deps: RunsDeps;
  readonly runnable: Runnable;
  readonly handing: Handing;
  readonly stop: AbortController;
  readonly onEvent: (event: RecordedEvent) => void;
};

/**
 * Hands a run over to the queue. One whose cancellation is requested ends here instead, with what it has done.
 *
 * @param suspended  undefined where the run was cut off within a step
 */
async function handOverOrEnd(
  { deps, runnable, handing, stop, onEvent }: Executing,
  suspended: ExecutedRun<Suspended> | undefined,
): Promise<ExecutedRun | typeof HAS_JOB> {
  const { run } = handing;
  const { attempt } = run;
  if (!suspended) {
    if (await moveToQueue(deps, handing)) return HAS_JOB;
    const ended = await cancelledRun(deps.db, run, attempt, epochSeconds(deps.clock));
    return { ...ended, traced: Promise.resolve(), sent: Promise.resolve() };
  }
  if (await handOffToQueue(deps, handing, suspended)) return HAS_JOB;
  return endSuspendedRun(deps, runnable, run, suspended, { attempt, stop, onEvent });
}

/**
 * A run that cannot be moved ends with its function: the queue is off, the run has a job, or it replaces another.
 */
function timesOf(
  { invocation: { waitLimits }, body }: ForegroundRequest,
  { settings }: RunsDeps,
  { run, replaces }: StartedRun,
) {
  if (settings.QUEUE_ENABLED === "false" || run.queued || replaces) return undefined;
  return body.stream ? waitLimits?.stream : waitLimits?.answer;
}

const whyLeft = ({ reason }: AbortSignal): string =>
  reason instanceof FunctionTimeout
    ? "the function that executed the run is at its end"
    : "the client disconnected";

const CHECK_EVERY_MS = 1_500;

/**
 * Reads from the record whether the run's cancellation is requested; a run that ends before the first check reads
 * nothing.
 */
function watchCancellation(deps: RunsDeps, run: StoredRun, stop: AbortController): { end: () => void } {
  const check = async () => {
    try {
      const seen = await readRunCancellation(deps.db, run);
      if (isCancellationLive(seen, epochSeconds(deps.clock))) stop.abort(runCancelled());
    } catch (error) {
      deps.log.warn("the run's record could not be read", { error: String(error) });
    }
    if (!ended && !stop.signal.aborted) timer = setTimeout(check, CHECK_EVERY_MS);
  };
  let ended = false;
  let timer = setTimeout(check, CHECK_EVERY_MS);
  return {
    end: () => {
      ended = true;
      clearTimeout(timer);
    },
  };
}

async function writeEnding(
  deps: RunsDeps,
  { run, replaces }: StartedRun,
  executed: Pick<ExecutedRun, "outcome" | "events">,
): Promise<readonly RecordedEvent[]> {
  const { db, clock, settings } = deps;
  const written = await endRun(db, run, executed, {
    now: epochSeconds(clock),
    settings,
    restBudget: restBudget(deps),
    replaces,
  });
  if (!written) throw new Error("the record of the run was changed by another process");
  await wakeSession(deps, written.waiting);
  const { outcome } = executed;
  if (outcome.status === "ERROR") recordFailure(deps, run, outcome);
  recordEnding(deps.meter, outcome, run);
  return written.events?.events ?? [];
}

/** Attempts of the run that answers what came too late for this one; undefined where no queue executes it. */
const restBudget = ({ settings }: RunsDeps): number | undefined =>
  settings.QUEUE_ENABLED === "false" ? undefined : settings.MAX_ATTEMPTS;

export const BROKEN_OFF =
  "The run was broken off, because the platform's store could not be read or written.";

/**
 * Records the failure as far as the store allows, so that no client waits for a run that is over. A run that has ended
 * already refuses this write.
 */
async function recordBrokenOff(deps: RunsDeps, run: StoredRun): Promise<void> {
  const output = { ...run.output, status: "ERROR" as const, content: BROKEN_OFF };
  const ending = {
    at: run,
    attempt: run.attempt,
    publishedRun: run,
    output,
    events: undefined,
    session: undefined,
    inbox: inboxEnding(run, { status: "ERROR", output }, restBudget(deps), epochSeconds(deps.clock)),
    job: undefined,
  };
  try {
    const ended = await commitEnding(deps.db, ending);
    await wakeSession(deps, ended?.waiting ?? []);
  } catch (error) {
    deps.log.error("the failure of a run could not be recorded", { run_id: run.run_id, error });
  }
}
