import type { CallOptions, ClientOptions } from "./client-options.ts";
import { connections, type Place, resume } from "./connections.ts";
import { foregroundRunOf } from "./leave-run.ts";
import type { Frame } from "./read-frames.ts";
import { type Fields, isInBackground } from "./request.ts";
import { operationFor, pathOf, type RunAddress } from "./run-address.ts";
import { send } from "./send.ts";
import { cancelledWhenLeft, openStream } from "./stream-operation.ts";
import { namedEvent, type UnknownEvent } from "./unknown-event.ts";

/** Beyond every event: the platform says then how many there are, and sends none. */
const BEYOND_ALL = Number.MAX_SAFE_INTEGER;

/**
 * Continues a run that has paused, and streams the events from there on until it has ended or pauses again, over as many
 * connections as it takes. Where a connection breaks before the first event, the run itself shows whether the request has
 * arrived, so that it is continued once.
 *
 * @throws as `streamRun`
 */
export async function* continueRun(
  client: ClientOptions,
  run: RunAddress,
  form: Fields,
  call: CallOptions,
): AsyncGenerator<Frame | UnknownEvent, void> {
  const { run_id, session_id } = run;
  const { kind, path } = pathOf(run);
  const before = await look(client, run, call);
  const place: Place = { kind, path, run_id, session_id, lastIndex: before.events - 1, isOver: false };
  const name = operationFor("continue", kind);
  const input = { path: { ...path, run_id }, body: { ...form, session_id } };
  let isTried = false;
  let isAccepted = false;
  const open = async function* (): AsyncGenerator<Frame, void> {
    if (isAccepted || (isTried && isChanged(before, await look(client, run, call)))) {
      yield* resume({ ...client, retries: false }, place, call);
      return;
    }
    isTried = true;
    if (isInBackground(input))
      await send(client, name, { ...input, body: { ...input.body, stream: false } }, call);
    else yield* openStream(client, name, { ...input, body: { ...input.body, stream_events: true } }, call);
    isAccepted = true;
  };
  const left = call.onLeave === "go-on" ? undefined : foregroundRunOf(name, input);
  const frames = connections(client, place, call, { open });
  for await (const frame of cancelledWhenLeft(client, left, frames, call.signal)) yield namedEvent(frame);
}

/** How far a run has come. */
type Progress = { readonly status: unknown; readonly events: number };

const isChanged = (before: Progress, now: Progress): boolean =>
  now.status !== before.status || now.events > before.events;

/** A run that is executed at this moment has no end of its events yet. */
async function look(client: ClientOptions, run: RunAddress, call: CallOptions): Promise<Progress> {
  const { run_id, session_id } = run;
  const { kind, path } = pathOf(run);
  const input = { path: { ...path, run_id }, body: { session_id, last_event_index: BEYOND_ALL } };
  for await (const { event, data } of openStream(client, operationFor("resume", kind), input, call))
    return event === "replay"
      ? { status: data.status, events: Number(data.total_events) }
      : { status: event, events: 0 };
  return { status: undefined, events: 0 };
}
