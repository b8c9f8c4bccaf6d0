import { isCancellationLive } from "../../../shared/domain/jobs/cancellation.ts";
import { isEndOf } from "../../../shared/domain/runs/terminal-events.ts";
import type { Runnable } from "../../../shared/engine/define/runnable.ts";
import { cancelledRun } from "../../../shared/engine/lifecycle/cancelled-run.ts";
import { endRun } from "../../../shared/engine/lifecycle/end-run.ts";
import { executeRun, type RunExecution } from "../../../shared/engine/lifecycle/execute-run.ts";
import type { ExecutionState, Suspended } from "../../../shared/engine/lifecycle/execute-runnable.ts";
import type { ExecutedRun } from "../../../shared/engine/lifecycle/executed-run.ts";
import { recordEnding, recordFailure } from "../../../shared/engine/lifecycle/record-ending.ts";
import type { RunOutcome } from "../../../shared/engine/run/run-outcome.ts";
import { RunStopped } from "../../../shared/engine/run/run-stopped.ts";
import { FunctionEnds } from "../../../shared/http/deadline.ts";
import type { HandlerRequest } from "../../../shared/http/handler.ts";
import type { runRoutes } from "../../../shared/routes/runs.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { RecordedEvent } from "../../../shared/schemas/runs/run-event.ts";
import { readRunCancellation } from "../../../shared/stores/runs/cancellation.ts";
import { nextIndexAfter } from "../../../shared/stores/runs/events.ts";
import type { RunAddress } from "../../../shared/stores/runs/run-address.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { commitEnding } from "../../../shared/stores/transactions/commit-ending.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { handOver, unlessTimeIsUp, watchTime } from "./hand-over.ts";

export type ForegroundRequest = Pick<
  HandlerRequest<typeof runRoutes.createAgentRun>,
  "signal" | "waitLimits"
> & {
  readonly body: { readonly stream: boolean; readonly stream_events: boolean; readonly background?: boolean };
};

/** A run that was taken up here, and whose record says so. It is executed once, by this process. */
export type StartedRun = {
  readonly run: StoredRun;
  /** Where it goes on; a new run begins at its beginning. */
  readonly from?: ExecutionState | undefined;
  /** Index of its first event; 0 for a new run. */
  readonly nextIndex?: number;
  /** Set where somebody continued it. */
  readonly continues?: boolean;
  /** The completed run whose answer it replaces once it has completed itself. */
  readonly replaces?: RunAddress | undefined;
};

/** What is answered instead of an outcome where the queue goes on with the run. */
export const HANDED_OVER = "HANDED_OVER";

/**
 * Executes a run that was taken up here, and writes how it ended; or gives it to the queue when its front waits no longer.
 *
 * @param send  told each event as it happens, the end only once it is kept
 */
export async function executeStartedRun(
  request: ForegroundRequest,
  deps: RunsDeps,
  runnable: Runnable,
  begun: StartedRun,
  send: (event: RecordedEvent) => void,
): Promise<RunOutcome | typeof HANDED_OVER> {
  const { run, from, nextIndex = 0, continues = false } = begun;
  const stops = watchStops(request, deps, begun);
  const execute: Execute = (how) =>
    executeRun(deps, runnable, run, {
      ...how,
      attempt: run.attempt,
      signal: stops.signal,
      onEvent: (event) => {
        if (!isEndOf(run.run_id, event)) send(event);
      },
    });
  try {
    const executed = await execute({
      nextIndex,
      ...(from && { from }),
      ...(continues && { continues }),
      shouldYield: stops.isTimeUp,
    }).catch(unlessTimeIsUp);
    const ended = isOver(executed)
      ? executed
      : await passOn({ deps, run, stops, execute }, request.body.stream, executed);
    if (ended === HANDED_OVER) return HANDED_OVER;
    const { outcome, events, traced } = ended;
    await writeEnding(deps, begun, { outcome, events });
    for (const event of events.events) if (isEndOf(run.run_id, event)) send(event);
    await traced;
    return outcome;
  } catch (error) {
    await giveUp(deps, run);
    throw error;
  } finally {
    stops.end();
  }
}

type Execute = (
  how: Pick<RunExecution, "from" | "continues" | "shouldYield" | "nextIndex">,
) => Promise<ExecutedRun | ExecutedRun<Suspended>>;

const isOver = (executed: ExecutedRun | ExecutedRun<Suspended> | undefined): executed is ExecutedRun =>
  executed !== undefined && executed.outcome.status !== "YIELDED";

/** Everything that stops a run before its end: its own time, its client, a wish, and the front that waits no longer. */
function watchStops(request: ForegroundRequest, deps: RunsDeps, begun: StartedRun) {
  const { run } = begun;
  const stop = new AbortController();
  const seconds = deps.settings.EXECUTION_TIMEOUT_SECONDS;
  const timeout = setTimeout(
    () => stop.abort(new RunStopped("timeout", `execution timeout: not finished after ${seconds} seconds`)),
    seconds * 1000,
  );
  const leave = () => stop.abort(new RunStopped("cancelled", whyLeft(request.signal)));
  const time = watchTime(timesOf(request, deps, begun), stop);
  request.signal.addEventListener("abort", leave, { once: true });
  const watched = watchCancellation(deps, run, stop);
  if (request.signal.aborted) leave();
  const cancel = () => stop.abort(wished());
  // A wish that met the run in the very moment of its pause.
  if (isCancellationLive(run, epochSeconds(deps.clock))) cancel();
  return {
    signal: stop.signal,
    isTimeUp: time.isOver,
    cancel,
    end: () => {
      clearTimeout(timeout);
      time.end();
      watched.end();
      request.signal.removeEventListener("abort", leave);
    },
  };
}

type Executing = {
  readonly deps: RunsDeps;
  readonly run: StoredRun;
  readonly stops: Pick<ReturnType<typeof watchStops>, "cancel">;
  readonly execute: Execute;
};

/**
 * Gives a run to the queue. One that may not go on, because somebody wants it to stop, ends here, with what it has said.
 *
 * @param suspended  undefined where it was cut off within a step
 */
async function passOn(
  { deps, run, stops, execute }: Executing,
  stream: boolean,
  suspended: ExecutedRun<Suspended> | undefined,
): Promise<ExecutedRun | typeof HANDED_OVER> {
  if (await handOver(deps, run, stream, suspended)) return HANDED_OVER;
  if (!suspended) {
    const ended = await cancelledRun(deps.db, run, run.attempt, epochSeconds(deps.clock));
    return { ...ended, traced: Promise.resolve() };
  }
  stops.cancel();
  const { outcome, events } = suspended;
  const nextIndex = await nextIndexAfter(deps.db, run, events);
  const stopped = await execute({ nextIndex, from: outcome.state });
  if (!isOver(stopped)) throw new Error("a run that was stopped has been put down again");
  return { ...stopped, events: { ...events, events: [...events.events, ...stopped.events.events] } };
}

/** Runs that nothing can take over end with their function: the queue is off, or they have a job or an end of their own. */
function timesOf(
  { waitLimits, body }: ForegroundRequest,
  { settings }: RunsDeps,
  { run, replaces }: StartedRun,
) {
  if (settings.QUEUE_ENABLED === "false" || run.queued || replaces) return undefined;
  return body.stream ? waitLimits?.stream : waitLimits?.answer;
}

const whyLeft = ({ reason }: AbortSignal): string =>
  reason instanceof FunctionEnds
    ? "the function that executed the run is at its end"
    : "the client disconnected";

const wished = () => new RunStopped("cancelled", "The run was cancelled.");

const LOOK_EVERY_MS = 1_500;

/** Looks on the record whether the run is wanted to stop; a run that is quicker than a look never asks. */
function watchCancellation(deps: RunsDeps, run: StoredRun, stop: AbortController): { end: () => void } {
  const timer = setInterval(() => {
    readRunCancellation(deps.db, run).then(
      (seen) => {
        if (!isCancellationLive(seen, epochSeconds(deps.clock))) return;
        stop.abort(wished());
      },
      (error) => deps.log.warn("the run's record could not be looked at", { error: String(error) }),
    );
  }, LOOK_EVERY_MS);
  return { end: () => clearInterval(timer) };
}

async function writeEnding(
  deps: RunsDeps,
  { run, replaces }: StartedRun,
  executed: Pick<ExecutedRun, "outcome" | "events">,
): Promise<void> {
  const { db, clock, settings } = deps;
  const kept = await endRun(db, run, executed, { now: epochSeconds(clock), settings, replaces });
  if (!kept) throw new Error("the record of the run was changed by somebody else");
  const { outcome } = executed;
  if (outcome.status === "ERROR") recordFailure(deps, run, outcome);
  recordEnding(deps.meter, outcome);
}

export const BROKEN_OFF =
  "The run was broken off, because the platform's store could not be read or written.";

/** As far as the store lets us, nobody waits for a run that is over. What has ended already refuses this. */
async function giveUp(deps: RunsDeps, run: StoredRun): Promise<void> {
  const output = { ...run.output, status: "ERROR" as const, content: BROKEN_OFF };
  await commitEnding(deps.db, {
    at: run,
    attempt: run.attempt,
    output,
    events: undefined,
    session: undefined,
    job: undefined,
  }).catch((error) => deps.log.error("a run could not be given up", { run_id: run.run_id, error }));
}
