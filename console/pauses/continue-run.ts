import { PlatformError } from "../../client/index.ts";
import type { RunPlace } from "../api/kinds.ts";
import { type ContinueBody, type StreamEvent, streamsOf } from "../api/run-streams.ts";

/** In which mode a run is continued: that in which it was started, which its record does not contain. */
type Mode = { readonly background: boolean; readonly stream: boolean };

/**
 * A queued run goes on in the queue; of a workflow only such a one. Runs of agents and teams that were started in the
 * foreground go on there whatever is asked. One that was queued without a stream is continued without one.
 */
const modesOf = ({ kind }: RunPlace, stream: boolean): readonly Mode[] => {
  const queued = { background: true, stream };
  const waited = { background: true, stream: false };
  const own = kind === "workflow" ? [{ background: false, stream }, queued] : [queued];
  return stream ? [...own, waited] : own;
};

/** How the platform refuses a mode; nothing has happened then. */
const isWrongMode = (error: unknown): boolean =>
  error instanceof PlatformError &&
  error.status === 409 &&
  /continue it with (background|stream)=/.test(error.message);

async function inSomeMode<T>(modes: readonly Mode[], attempt: (mode: Mode) => Promise<T>): Promise<T> {
  for (const mode of modes.slice(0, -1)) {
    try {
      return await attempt(mode);
    } catch (error) {
      if (!isWrongMode(error)) throw error;
    }
  }
  const [last] = modes.slice(-1);
  return attempt(last ?? { background: true, stream: false });
}

/**
 * Continues a run without following it.
 *
 * @throws PlatformError for answers that the run does not take
 */
export function continueInBackground(place: RunPlace, answers: ContinueBody): Promise<unknown> {
  const { continueUnseen } = streamsOf(place.kind, place.component);
  return inSomeMode(modesOf(place, false), ({ background }) =>
    continueUnseen(place.run, { ...answers, session_id: place.session, background }),
  );
}

/**
 * Continues a run and streams what happens from here on. A run that has no stream is followed by its record.
 *
 * @returns once the platform has taken the answers
 * @throws PlatformError for answers that the run does not take
 */
export function continueStreaming(
  place: RunPlace,
  answers: ContinueBody,
  signal: AbortSignal,
): Promise<AsyncGenerator<StreamEvent, void> | undefined> {
  const streams = streamsOf(place.kind, place.component);
  return inSomeMode(modesOf(place, true), async ({ background, stream }) => {
    const body = { ...answers, session_id: place.session, background };
    if (!stream) {
      await streams.continueUnseen(place.run, body);
      return undefined;
    }
    return begun(streams.continue(place.run, body, signal));
  });
}

/** A stream whose first event has arrived. */
async function begun(events: AsyncGenerator<StreamEvent, void>): Promise<AsyncGenerator<StreamEvent, void>> {
  const first = await events.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* events;
  })();
}
