import { inOwnSession } from "./call-operation.ts";
import type { CallOptions, ClientOptions, ReadOptions } from "./client-options.ts";
import { connections, type Place } from "./connections.ts";
import { foregroundRunOf } from "./leave-run.ts";
import { newId } from "./new-id.ts";
import type { Frame } from "./read-frames.ts";
import { type Fields, type Input, isInBackground } from "./request.ts";
import { type ComponentAddress, operationFor, pathOf, type RunAddress } from "./run-address.ts";
import { IDEMPOTENCY_KEY } from "./send.ts";
import { cancelledWhenLeft, openStream } from "./stream-operation.ts";
import { namedEvent, type UnknownEvent } from "./unknown-event.ts";

export type FollowOptions = ReadOptions & {
  /** `event_index` of the last event that is known; without it, the events are sent from the first one on. */
  readonly lastEventIndex?: number | undefined;
};

/**
 * Starts a run and streams its events until it has ended or waits for a person, over as many connections as it takes.
 *
 * @throws RunGoesOnError when the platform could not be reached ten times in a row; PlatformError for a refusal; what
 *         `fetch` throws where the request did not arrive, or where it is not known whether it did
 */
export async function* streamRun(
  client: ClientOptions,
  component: ComponentAddress,
  form: Fields,
  call: CallOptions,
): AsyncGenerator<Frame | UnknownEvent, void> {
  const { kind, path } = pathOf(component);
  const name = operationFor("create", kind);
  // Without every event it would be unknown after which one a connection broke.
  const input: Input = { path, body: { ...form, stream_events: true } };
  const foreground = foregroundRunOf(name, input);
  const { run, sent } = foreground ? inOwnSession(foreground, input) : { run: undefined, sent: input };
  const place: Place = {
    ...{ kind, path },
    ...{ run_id: undefined, session_id: undefined, lastIndex: -1, isOver: false },
  };
  const headers = new Headers(call.headers);
  if (isInBackground(sent) && !headers.has(IDEMPOTENCY_KEY)) headers.set(IDEMPOTENCY_KEY, newId());
  const open = () =>
    openStream(client, name, sent, { ...call, headers: Object.fromEntries(headers.entries()) });
  const frames = connections(client, place, call, { open, run });
  const left = call.onLeave === "go-on" ? undefined : run;
  for await (const frame of cancelledWhenLeft(client, left, frames, call.signal)) yield namedEvent(frame);
}

/**
 * Streams the events of a run that was started before, until it has ended or waits for a person.
 *
 * @throws as `streamRun`
 */
export async function* followRun(
  client: ClientOptions,
  run: RunAddress,
  { lastEventIndex = -1, ...call }: FollowOptions = {},
): AsyncGenerator<Frame | UnknownEvent, void> {
  const { run_id, session_id } = run;
  const place = { ...pathOf(run), run_id, session_id, lastIndex: lastEventIndex, isOver: false };
  for await (const frame of connections(client, place, call)) yield namedEvent(frame);
}
