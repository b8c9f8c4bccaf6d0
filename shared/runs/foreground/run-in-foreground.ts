import type { Runnable } from "../../engine/define/runnable.ts";
import { ModelClosed } from "../../engine/model/model-gate.ts";
import { RunStopped } from "../../engine/run/next-step.ts";
import { ServiceError } from "../../errors.ts";
import { createChannel } from "../../events/channel.ts";
import { mediaFrames } from "../../events/media-frames.ts";
import { sseFrame } from "../../events/sse.ts";
import { EventStream, type Reply } from "../../http/handler.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { RecordedEvent } from "../../schemas/runs/run-event.ts";
import { errorEvent, eventSource, isContent } from "../../stores/runs/event-base.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { type ShownRun, shownOutput } from "../../stores/runs/run-row.ts";
import { startRun } from "../../stores/transactions/start-run.ts";
import { limitedUser } from "../component.ts";
import type { PlannedRun } from "../create/plan-run.ts";
import { framesWithLinks } from "../feedback-links.ts";
import { acceptedReply, type ClaimKey } from "../repeated-request.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { STILL_RUNNING_FRAME, withoutIndex } from "./event-frames.ts";
import { BROKEN_OFF, executeStartedRun, type ForegroundRequest, HAS_JOB } from "./execute-started-run.ts";
import {
  LEASE_SECONDS,
  type SlotsOf,
  type StartedInSlot,
  type StartedRun,
  startInSlot,
} from "./foreground-slot.ts";

/** The first execution of a run; each continuation is another one. */
const FIRST_ATTEMPT = 1;

/**
 * Executes a run and answers with it, whatever its end: failed and paused runs answer 200 too. One that takes longer
 * than its client is kept waiting gets a job, and is answered like any queued run.
 */
export async function waitForRun(
  request: ForegroundRequest,
  deps: RunsDeps,
  runnable: Runnable,
  plan: () => Promise<PlannedRun>,
  claim: ClaimKey,
): Promise<ShownRun | Reply> {
  return waitForStartedRun(request, deps, runnable, await start(request, deps, plan, claim));
}

/** The same for a run that has been started already. */
export async function waitForStartedRun(
  request: ForegroundRequest,
  deps: RunsDeps,
  runnable: Runnable,
  started: StartedRun,
): Promise<ShownRun | Reply> {
  const gotJob = Promise.withResolvers<typeof HAS_JOB>();
  const executing = executeStartedRun(request, deps, runnable, started, {
    gotJob: () => gotJob.resolve(HAS_JOB),
  });
  const ended = await Promise.race([executing, gotJob.promise]);
  if (ended !== HAS_JOB) {
    if (ended.status === "ERROR" && ended.closed)
      throw new ModelClosed(ended.error, ended.closed, deps.clock.now());
    const feedback = await request.linksOf?.(started.run);
    return { ...(await shownOutput(deps.db, ended.output)), ...(feedback && { feedback }) };
  }
  request.invocation.afterAnswer?.(
    executing.then(
      () => undefined,
      (error) => logUnrecorded(deps, started, error),
    ),
  );
  return acceptedReply({ ...started.run, status: "PENDING" });
}

/** A run that was deleted, or that another process has by now, is recorded there, or nowhere. */
const logUnrecorded = ({ log }: RunsDeps, { run }: StartedRun, error: unknown) => {
  const level = error instanceof RunStopped && error.kind === "lost" ? "warn" : "error";
  log[level]("a foreground run could not be recorded", { run_id: run.run_id, error: String(error) });
};

/** Executes a run and sends its events while they happen. */
export async function streamForegroundRun(
  request: ForegroundRequest,
  deps: RunsDeps,
  runnable: Runnable,
  plan: () => Promise<PlannedRun>,
  claim: ClaimKey,
): Promise<EventStream> {
  return streamStartedRun(request, deps, runnable, await start(request, deps, plan, claim));
}

/** The same for a run that has been started already. Events of a request with background=true carry their indices. */
export function streamStartedRun(
  request: ForegroundRequest,
  deps: RunsDeps,
  runnable: Runnable,
  started: StartedRun,
): EventStream {
  const frames = createChannel<string>();
  const given = request.frames?.(started.run);
  const own = mediaFrames(deps, request.body.background);
  const frameOf = given?.of ?? framesWithLinks(own, started.run, request.linksOf);
  if (given) frames.push(given.opening());
  const send = (event: RecordedEvent) => {
    if (request.body.stream_events || isContent(event)) frames.push(frameOf(event));
  };
  const changed = given?.stateChanged;
  const stateChanged =
    changed && ((changes: Readonly<Record<string, unknown>>) => frames.push(changed(changes)));
  executeStartedRun(request, deps, runnable, started, { send, stateChanged }).then(
    (ended) => {
      if (ended === HAS_JOB) frames.push(given?.goesOn() ?? STILL_RUNNING_FRAME);
      else if (given) frames.push(given.closing());
      frames.end();
    },
    (error) => {
      logUnrecorded(deps, started, error);
      const failure = errorEvent(eventSource(started.run), epochSeconds(deps.clock), BROKEN_OFF);
      frames.push(given?.of(withoutIndex(failure)) ?? sseFrame(failure));
      frames.end();
    },
  );
  return new EventStream(frames);
}

function start(
  { principal }: Pick<ForegroundRequest, "principal">,
  deps: RunsDeps,
  plan: () => Promise<PlannedRun>,
  claim: ClaimKey,
): Promise<StartedRun> {
  const tryOnce = async (slotsOf: SlotsOf): Promise<StartedInSlot> => {
    const { run, newSession, admission, stateRead } = await plan();
    const now = epochSeconds(deps.clock);
    const output = { ...run.output, status: "RUNNING" as const };
    const lease_until = now + LEASE_SECONDS;
    const running: StoredRun = { ...run, status: "RUNNING", attempt: FIRST_ATTEMPT, lease_until, output };
    const slots = slotsOf(run.run_id);
    const result = await startRun(
      deps.db,
      running,
      { newSession, turnIn: admission.turnIn },
      { slots, now, isPublished: true, key: claim(running, now) },
    );
    return result.written ? { written: true, started: { run: running, stateRead, slots } } : result;
  };
  const conflict = "the session changed while the run was being started; submit it again";
  return startInSlot(deps, limitedUser(principal), tryOnce, () => new ServiceError("CONFLICT", conflict));
}
