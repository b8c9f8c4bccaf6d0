import { followRun, type ReadBefore } from "../../events/follow-run.ts";
import { mediaFrames } from "../../events/media-frames.ts";
import { FunctionTimeout } from "../../http/deadline.ts";
import type { RecordedEvent, UnindexedEvent } from "../../schemas/runs/run-event.ts";
import { isContent } from "../../stores/runs/event-base.ts";
import type { RunAddress } from "../../stores/runs/run-keys.ts";
import { framesWithLinks, type LinksOf } from "../feedback-links.ts";
import type { RunsDeps } from "../runs-deps.ts";

/** The run whose events a stream carries. */
export type FramedRun = {
  readonly run_id: string;
  readonly session_id: string;
  /** Absent for a request that was refused before there was a run. */
  readonly owner?: string | null;
};

/** How the events of one stream are written, in another protocol than that of the run routes. */
export type EventFrames = {
  /** What comes before the first event. */
  readonly opening: () => Promise<string>;
  /** Empty for an event that the protocol does not have. */
  readonly of: (event: RecordedEvent) => string | Promise<string>;
  /** For events that a new attempt repeats, from this index on; where it is absent, they are not sent again. */
  readonly voided?: (from: number) => string | Promise<string>;
  /** For keys of the session's state that a run has set, which is executed here; nothing is sent where it is absent. */
  readonly stateChanged?: (changes: Readonly<Record<string, unknown>>) => Promise<string>;
  /** What comes last where the run goes on without this stream. */
  readonly goesOn: () => string | Promise<string>;
  /** What comes last otherwise; empty where the events have said how it ended. */
  readonly closing: () => Promise<string>;
};

/** `frames` is set where a run is streamed in another protocol. */
export type FramedRequest = {
  readonly frames?: (run: FramedRun) => EventFrames;
  /** What makes the links that come before the run's end, where the run asked for some. */
  readonly linksOf?: LinksOf | undefined;
};

/** An event from outside of a run's record has no place among those in it. */
const NO_INDEX = -1;

/** The frames of a stream that carries nothing but this event. */
export async function* framed(frames: EventFrames, event: UnindexedEvent): AsyncGenerator<string> {
  yield await frames.opening();
  yield await frames.of(withoutIndex(event));
}

/** The same event as one of a stream that has begun. */
export const withoutIndex = (event: UnindexedEvent): RecordedEvent => ({ ...event, event_index: NO_INDEX });

type FollowRequest = FramedRequest & {
  readonly signal: AbortSignal;
  readonly body: { readonly stream_events: boolean };
};

/**
 * A run's events as frames, while they are recorded; with a comment at the end where the function ends before the run.
 *
 * @param from    index of the first event that is sent
 * @param before  what the caller has read of them already
 */
export async function* followFrames(
  { signal, body, frames, linksOf }: FollowRequest,
  deps: Pick<RunsDeps, "db" | "clock" | "log">,
  at: RunAddress,
  from = 0,
  before?: ReadBefore,
): AsyncGenerator<string> {
  const { db, clock } = deps;
  const given = frames?.(at);
  const frameOf = given?.of ?? framesWithLinks(mediaFrames(deps), at, linksOf);
  if (given) yield await given.opening();
  let voidFrom: number | undefined;
  const voided = given?.voided;
  const noteVoided = (index: number): void => {
    voidFrom = index;
  };
  for await (const event of followRun(db, at, clock, signal, from, before, voided && noteVoided)) {
    if (voided && voidFrom !== undefined) yield voided(voidFrom);
    voidFrom = undefined;
    if (body.stream_events || isContent(event)) yield frameOf(event);
  }
  if (signal.reason instanceof FunctionTimeout) yield given?.goesOn() ?? STILL_RUNNING_FRAME;
  else if (given) yield await given.closing();
}

/** Last frame of a stream whose run has not ended. It is an SSE comment, no event; clients that know it resume. */
export const STILL_RUNNING_FRAME = ": the run goes on; resume to follow it\n\n";
