import { callOf } from "./call-operation.ts";
import type { ClientOptions, ReadOptions } from "./client-options.ts";
import { type ForegroundRun, findOnlyRun, isEndOf } from "./leave-run.ts";
import { pauseBefore, sleep } from "./pauses.ts";
import { PlatformError } from "./platform-error.ts";
import type { Frame } from "./read-frames.ts";
import type { Fields, Kind } from "./request.ts";
import { operationFor, type RunAddress } from "./run-address.ts";
import { RunGoesOnError } from "./run-goes-on-error.ts";
import { openStream } from "./stream-operation.ts";

/** Connections that may fail one after the other without an event: about half a minute. */
const MOST_FAILURES = 10;
/** The same while it is not known which run it is. Each of them has been tried again already (`retries`). */
const MOST_FIRST_FAILURES = 2;
/** A connection that was silent for so long was broken by its silence, and the next one may last as long. */
const LASTING_MS = 5_000;

/** How far a run has been followed. */
export type Place = {
  readonly kind: Kind;
  readonly path: Fields;
  run_id: string | undefined;
  session_id: string | undefined;
  /** -1 before the first event. */
  lastIndex: number;
  /** The last event has arrived: the run has ended, or it waits for a person. */
  isOver: boolean;
  /** How many events there are of a run that does not go on, as the connection said when it was opened. */
  total?: number | undefined;
  /** What the platform said in a frame of its own instead of events. */
  refusal?: Error;
};

export type Start = {
  /** Opens the first connection, and the next one where nothing has arrived of a run that was known before. */
  readonly open: () => AsyncGenerator<Frame, void>;
  /** A run in the foreground: where it can be found if its first event does not arrive. */
  readonly run?: ForegroundRun | undefined;
};

/**
 * The events of one connection after the other, each once: the next one begins after the last event that arrived.
 *
 * @param start  without it, the run is followed from where `place` says
 */
export async function* connections(
  client: ClientOptions,
  place: Place,
  call: ReadOptions,
  start?: Start,
): AsyncGenerator<Frame, void> {
  const { run } = start ?? {};
  const before = { ...place };
  const again = () => resume({ ...client, retries: false }, place, call);
  let open = start?.open ?? again;
  for (let failures = 0; ; ) {
    const { lastIndex } = place;
    const openedAt = Date.now();
    let cause: unknown;
    place.total = undefined;
    try {
      for await (const frame of open()) if (isNews(place, frame)) yield frame;
      if (place.refusal) throw place.refusal;
      // An ending without an event of its own: nothing has arrived, and nothing is missing.
      const hasNoMore =
        place.total !== undefined && place.lastIndex === lastIndex && lastIndex >= place.total - 1;
      if (place.isOver || hasNoMore) return;
    } catch (error) {
      if (call.signal?.aborted || !isBroken(place, error)) throw error;
      cause = error;
    }
    if (place.run_id === undefined && run) {
      // A run in the foreground must not be started twice.
      place.run_id = await findOnlyRun(run, callOf(client, call)).catch(() => undefined);
      place.session_id = run.session_id;
      if (place.run_id === undefined) throw cause ?? endedTooEarly();
    }
    const isBegun = before.run_id === undefined || place.lastIndex > before.lastIndex;
    if (place.run_id !== undefined && isBegun) open = again;
    const hasProgress = place.lastIndex > lastIndex || Date.now() - openedAt > LASTING_MS;
    failures = hasProgress ? 0 : failures + 1;
    const most = place.run_id === undefined ? MOST_FIRST_FAILURES : MOST_FAILURES;
    if (failures >= most) throw givenUp(place, failures, cause);
    const retryAfter = cause instanceof PlatformError ? cause.retryAfter : undefined;
    await sleep(pauseBefore(failures + 1, retryAfter) ?? (retryAfter ?? 0) * 1000, call.signal);
  }
}

/** Takes note of a frame. @returns whether it is an event that has not arrived before */
function isNews(place: Place, { event, data }: Frame): boolean {
  if (event === "error") place.refusal = new Error(String(data.error));
  if (event === "replay") place.total = Number(data.total_events);
  if (/^(error|replay|catch_up|subscribed)$/.test(event)) return false;
  if (data.parent_run_id === undefined && place.run_id === undefined) {
    place.run_id = String(data.run_id);
    place.session_id = String(data.session_id);
  }
  // A stream in the foreground does not number its events. It sends all of them, and the first one has the number 0.
  const index = typeof data.event_index === "number" ? data.event_index : place.lastIndex + 1;
  if (index <= place.lastIndex) return false;
  place.lastIndex = index;
  if (isEndOf(place, event, data)) place.isOver = true;
  return true;
}

/** Opens a connection that begins after the last event that arrived. */
export function resume(client: ClientOptions, place: Place, call: ReadOptions): AsyncGenerator<Frame, void> {
  const { kind, path, run_id, session_id, lastIndex } = place;
  const body = { session_id, ...(lastIndex >= 0 && { last_event_index: lastIndex }) };
  return openStream(client, operationFor("resume", kind), { path: { ...path, run_id }, body }, call);
}

/**
 * Whether a connection could not be made, or ended early. A refusal stays what it is, and so does a limit that stands
 * before the run: it was waited for already.
 */
function isBroken({ run_id, refusal }: Place, error: unknown): boolean {
  if (!(error instanceof PlatformError)) return error !== refusal && !(error instanceof SyntaxError);
  return error.status === 429 ? run_id !== undefined : error.status >= 500;
}

const endedTooEarly = () => new Error("The stream ended before its first event.");

function givenUp(place: Place, failures: number, cause: unknown): unknown {
  const { path, run_id, session_id, lastIndex, isOver } = place;
  if (run_id === undefined || session_id === undefined || isOver) return cause ?? endedTooEarly();
  const run = { ...path, run_id, session_id } as unknown as RunAddress; // the path names the component
  const last = lastIndex < 0 ? undefined : lastIndex;
  return new RunGoesOnError(`The stream could not be continued ${failures} times`, run, last, cause);
}
