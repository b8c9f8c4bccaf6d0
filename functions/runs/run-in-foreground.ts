import { isCancellationLive } from "../../shared/domain/cancellation.ts";
import { isContent, isEndOf } from "../../shared/domain/told-events.ts";
import { cancelledOutcome } from "../../shared/engine/cancelled-outcome.ts";
import { endRun } from "../../shared/engine/end-run.ts";
import type { ExecutionState, PutDown } from "../../shared/engine/execute-runnable.ts";
import { performRun } from "../../shared/engine/perform-run.ts";
import type { Performed } from "../../shared/engine/performed.ts";
import { recordEnding, recordFailure } from "../../shared/engine/record-ending.ts";
import { type RunOutcome, RunStopped } from "../../shared/engine/run-request.ts";
import type { Runnable } from "../../shared/engine/runnable.ts";
import { ServiceError } from "../../shared/errors.ts";
import { createChannel } from "../../shared/events/channel.ts";
import { mediaFrames } from "../../shared/events/media-frames.ts";
import { sseFrame } from "../../shared/events/sse.ts";
import { FunctionEnds } from "../../shared/http/deadline.ts";
import { EventStream, type HandlerRequest, Reply } from "../../shared/http/handler.ts";
import type { runRoutes } from "../../shared/routes/runs.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { AcceptedRun } from "../../shared/schemas/run.ts";
import type { RecordedEvent } from "../../shared/schemas/run-event.ts";
import { lookForRunCancellation } from "../../shared/stores/runs/cancellation.ts";
import { errorEvent, eventSource } from "../../shared/stores/runs/event-base.ts";
import type { RunAddress } from "../../shared/stores/runs/get-run.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import { type ShownRun, shownOutput } from "../../shared/stores/runs/shown-output.ts";
import { commitEnding } from "../../shared/stores/transactions/commit-ending.ts";
import { startRun } from "../../shared/stores/transactions/start-run.ts";
import { untilWon } from "../../shared/stores/until-won.ts";
import { GOES_ON_FRAME } from "./goes-on-frame.ts";
import { handOver, unlessTimeIsUp, watchTime } from "./hand-over.ts";
import type { PlannedRun } from "./plan-run.ts";
import type { RunsDeps } from "./runs-deps.ts";

type Request = Pick<HandlerRequest<typeof runRoutes.createAgentRun>, "signal" | "patience"> & {
  readonly body: { readonly stream: boolean; readonly stream_events: boolean; readonly background?: boolean };
};

/** A run that was taken up here, and whose record says so. It is executed once, by this process. */
export type BegunRun = {
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

/** The first execution of a run; each continuation is another one. */
const FIRST_ATTEMPT = 1;
/** No function lives longer; a record that is RUNNING after this has lost its process. */
export const LEASE_SECONDS = 930;

/**
 * Executes a run and answers with it, whatever its end: failed and paused runs answer 200 too. One that takes longer
 * than the front waits goes on in the queue, and is answered like any run there.
 */
export async function waitForRun(
  request: Request,
  deps: RunsDeps,
  runnable: Runnable,
  plan: () => Promise<PlannedRun>,
): Promise<ShownRun | Reply> {
  return waitForBegun(request, deps, runnable, await start(deps, plan));
}

/** The same for a run that has been begun already. */
export async function waitForBegun(
  request: Request,
  deps: RunsDeps,
  runnable: Runnable,
  begun: BegunRun,
): Promise<ShownRun | Reply> {
  const ended = await perform(request, deps, runnable, begun, () => undefined);
  if (ended !== HANDED_OVER) return shownOutput(deps.db, ended.output);
  const { run_id, session_id } = begun.run;
  return new Reply(202, { run_id, session_id, status: "PENDING" } satisfies AcceptedRun);
}

/** Executes a run and sends its events while they happen. */
export async function streamForegroundRun(
  request: Request,
  deps: RunsDeps,
  runnable: Runnable,
  plan: () => Promise<PlannedRun>,
): Promise<EventStream> {
  return streamBegun(request, deps, runnable, await start(deps, plan));
}

/** The same for a run that has been begun already. What was asked for in the background carries its indices. */
export function streamBegun(
  request: Request,
  deps: RunsDeps,
  runnable: Runnable,
  begun: BegunRun,
): EventStream {
  const frames = createChannel<string>();
  const frameOf = mediaFrames(deps, request.body.background);
  const send = (event: RecordedEvent) => {
    if (request.body.stream_events || isContent(event)) frames.push(frameOf(event));
  };
  perform(request, deps, runnable, begun, send).then(
    (ended) => {
      if (ended === HANDED_OVER) frames.push(GOES_ON_FRAME);
      frames.end();
    },
    (error) => {
      deps.log.error("a foreground run could not be kept", {
        run_id: begun.run.run_id,
        error: String(error),
      });
      const told = errorEvent(eventSource(begun.run), epochSeconds(deps.clock), BROKEN_OFF);
      frames.push(sseFrame(told));
      frames.end();
    },
  );
  return new EventStream(frames);
}

async function start(deps: RunsDeps, plan: () => Promise<PlannedRun>): Promise<PlannedRun> {
  const tryOnce = async () => {
    const planned = await plan();
    const { run, newSession } = planned;
    const lease_until = epochSeconds(deps.clock) + LEASE_SECONDS;
    const output = { ...run.output, status: "RUNNING" as const };
    const begun: StoredRun = { ...run, status: "RUNNING", attempt: FIRST_ATTEMPT, lease_until, output };
    const entry = { newSession, turnIn: planned.admission.turnIn };
    return (await startRun(deps.db, begun, entry)) ? { ...planned, run: begun } : undefined;
  };
  const others = "the session changed while the run was being started; submit it again";
  return untilWon(tryOnce, () => new ServiceError("CONFLICT", others));
}

const HANDED_OVER = "HANDED_OVER";

async function perform(
  request: Request,
  deps: RunsDeps,
  runnable: Runnable,
  begun: BegunRun,
  send: (event: RecordedEvent) => void,
): Promise<RunOutcome | typeof HANDED_OVER> {
  const { run, from, nextIndex = 0, continues = false } = begun;
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
  // A wish that met the run in the very moment of its pause.
  if (isCancellationLive(run, epochSeconds(deps.clock))) stop.abort(wished());
  try {
    const performed = await performRun(deps, runnable, run, {
      attempt: run.attempt,
      nextIndex,
      signal: stop.signal,
      ...(from && { from }),
      ...(continues && { continues }),
      shouldYield: time.isOver,
      onEvent: (event) => {
        // The end is told only once it is kept.
        if (!isEndOf(run.run_id, event)) send(event);
      },
    }).catch(unlessTimeIsUp);
    if (performed === undefined) return await passOn(request, deps, begun);
    const { outcome, events, traced } = performed;
    if (outcome.status === "YIELDED") return await passOn(request, deps, begun, { outcome, events, traced });
    await keep(deps, begun, { outcome, events });
    for (const event of events.events) if (isEndOf(run.run_id, event)) send(event);
    await traced;
    return outcome;
  } catch (error) {
    await giveUp(deps, run);
    throw error;
  } finally {
    clearTimeout(timeout);
    time.end();
    watched.end();
    request.signal.removeEventListener("abort", leave);
  }
}

/** Runs that nothing can take over end with their function: the queue is off, or they have a job or an end of their own. */
function timesOf({ patience, body }: Request, { settings }: RunsDeps, { run, replaces }: BegunRun) {
  if (settings.QUEUE_ENABLED === "false" || run.queued || replaces) return undefined;
  return body.stream ? patience?.stream : patience?.answer;
}

const whyLeft = ({ reason }: AbortSignal): string =>
  reason instanceof FunctionEnds
    ? "the function that executed the run is at its end"
    : "the client disconnected";

/** A run that may not go on, because somebody wants it to stop, ends here. */
async function passOn(
  { body }: Request,
  deps: RunsDeps,
  begun: BegunRun,
  putDown?: Performed<PutDown>,
): Promise<RunOutcome | typeof HANDED_OVER> {
  const { run } = begun;
  if (await handOver(deps, run, body.stream, putDown)) return HANDED_OVER;
  const outcome = cancelledOutcome(run);
  const events = putDown?.events ?? {
    run_id: run.run_id,
    attempt: run.attempt,
    startsOver: false,
    events: [],
  };
  await keep(deps, begun, { outcome, events });
  return outcome;
}

const wished = () => new RunStopped("cancelled", "The run was cancelled.");

const LOOK_EVERY_MS = 1_500;

/** Looks on the record whether the run is wanted to stop; a run that is quicker than a look never asks. */
function watchCancellation(deps: RunsDeps, run: StoredRun, stop: AbortController): { end: () => void } {
  const timer = setInterval(() => {
    lookForRunCancellation(deps.db, run).then(
      (seen) => {
        if (!isCancellationLive(seen, epochSeconds(deps.clock))) return;
        stop.abort(wished());
      },
      (error) => deps.log.warn("the run's record could not be looked at", { error: String(error) }),
    );
  }, LOOK_EVERY_MS);
  return { end: () => clearInterval(timer) };
}

async function keep(
  deps: RunsDeps,
  { run, replaces }: BegunRun,
  performed: Pick<Performed, "outcome" | "events">,
): Promise<void> {
  const { db, clock, settings } = deps;
  const kept = await endRun(db, run, performed, { now: epochSeconds(clock), settings, replaces });
  if (!kept) throw new Error("the record of the run was changed by somebody else");
  const { outcome } = performed;
  if (outcome.status === "ERROR") recordFailure(deps.meter, outcome.cause);
  recordEnding(deps.meter, outcome);
}

const BROKEN_OFF = "The run was broken off, because the platform's store could not be read or written.";

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
  }).catch((error) =>
    deps.log.error("a run could not be given up", { run_id: run.run_id, error: String(error) }),
  );
}
