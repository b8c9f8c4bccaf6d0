import { callerOf } from "../auth/caller.ts";
import { notFound } from "../errors.ts";
import { followRun } from "../events/follow-run.ts";
import { mediaFrames } from "../events/media-frames.ts";
import { sseFrame } from "../events/sse.ts";
import { FunctionTimeout } from "../http/deadline.ts";
import { EventStream } from "../http/handler.ts";
import type { runRoutes } from "../routes/runs.ts";
import { epochSeconds } from "../runtime/clock.ts";
import { readEvents } from "../stores/runs/events.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import { type RunsRequest, requireComponent } from "./component.ts";
import { framesWithLinks, linksFor } from "./feedback-links.ts";
import { findRun, requireSessionId } from "./find-run.ts";
import { STILL_RUNNING_FRAME } from "./foreground/event-frames.ts";
import type { RunsDeps } from "./runs-deps.ts";

type Request = RunsRequest<typeof runRoutes.resumeAgentRun>;
type Needs = Pick<RunsDeps, "db" | "clock" | "log" | "knowsRunnable" | "feedbackLinking">;

/**
 * Sends a run's events again from where a connection broke off. They are read from the record, so it does not matter
 * which process sent the first ones, or whether it is still alive.
 *
 *   run not live  replay, the missed events
 *   run is live   catch_up, the missed events, subscribed, the events from here on
 *   no such run   error
 *
 * @throws ServiceError BAD_REQUEST without a session, NOT_FOUND for what is not the caller's; an admin gets neither
 */
export async function resumeComponentRun(request: Request, deps: Needs) {
  const { run_id } = request.params;
  const { session_id } = request.body;
  await requireComponent(deps, request.component);
  const caller = callerOf(request.principal);
  requireSessionId(caller, session_id);
  const address = { component: request.component, session_id, run_id };
  const run = await findRun(deps.db, caller, address, epochSeconds(deps.clock));
  if (!run && !caller.seesAll) throw notFound("run", run_id);
  return new EventStream(run ? framesOf(request, deps, run) : unknown(run_id));
}

async function* unknown(run_id: string): AsyncGenerator<string> {
  yield sseFrame({ event: "error", error: `run ${run_id} not found` });
}

const live: ReadonlySet<string> = new Set(["PENDING", "RUNNING"]);

async function* framesOf(request: Request, deps: Needs, run: StoredRun): AsyncGenerator<string> {
  const requested = request.body.last_event_index;
  const from = (requested ?? -1) + 1;
  const { events } = await readEvents(deps.db, run);
  const missed = events.filter(({ event_index }) => event_index >= from);
  const about = { run_id: run.run_id, status: run.status };
  const isLive = live.has(run.status);
  if (!isLive) {
    yield sseFrame({
      event: "replay",
      ...about,
      total_events: events.length,
      ...(requested !== undefined && { last_event_index_requested: requested }),
      message: `The run is ${run.status}; ${missed.length} of its events follow.`,
    });
  } else if (missed.length > 0) {
    yield sseFrame({
      event: "catch_up",
      ...about,
      missed_events: missed.length,
      current_event_count: events.length,
      message: `${missed.length} events were missed; they follow.`,
    });
  }
  const frameOf = framesWithLinks(mediaFrames(deps), run, linksFor(deps, request, run.kwargs));
  for (const event of missed) yield frameOf(event);
  if (!isLive) return;
  yield sseFrame({
    event: "subscribed",
    ...about,
    current_event_count: events.length,
    message: "What happens from here on follows.",
  });
  const next = Math.max(from, (events[events.length - 1]?.event_index ?? -1) + 1);
  for await (const event of followRun(deps.db, run, deps.clock, request.signal, next)) yield frameOf(event);
  if (request.signal.reason instanceof FunctionTimeout) yield STILL_RUNNING_FRAME;
}
