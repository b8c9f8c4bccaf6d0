import { leave } from "./call-operation.ts";
import type { CallOptions, ClientOptions } from "./client-options.ts";
import { type ForegroundRun, foregroundRunOf, isEndOf, namedBy } from "./leave-run.ts";
import { type Frame, readFrames } from "./read-frames.ts";
import { type Input, type OperationName, streamsRun, withStream } from "./request.ts";
import { send } from "./send.ts";
import { namedEvent, type UnknownEvent } from "./unknown-event.ts";

/** Streams the frames of an operation, over one connection. */
export async function* streamOperation(
  client: ClientOptions,
  name: OperationName,
  input: Input,
  call: CallOptions,
): AsyncGenerator<Frame | UnknownEvent, void> {
  const run = call.onLeave === "go-on" ? undefined : foregroundRunOf(name, input);
  const isOfRun = streamsRun(name);
  const frames = cancelledWhenLeft(client, run, openStream(client, name, input, call), call.signal);
  for await (const frame of frames) yield isOfRun ? namedEvent(frame) : frame;
}

/** Opens a stream and reads its frames. */
export async function* openStream(
  client: ClientOptions,
  name: OperationName,
  input: Input,
  call: CallOptions,
): AsyncGenerator<Frame, void> {
  const { body } = await send(client, name, withStream(name, input, true), call);
  if (body) yield* readFrames(body);
}

/**
 * The frames of a run, which is cancelled when its caller ends the iteration or aborts the signal before the run has
 * ended.
 *
 * @param run  undefined for a run that is left to itself
 */
export async function* cancelledWhenLeft(
  client: ClientOptions,
  run: ForegroundRun | undefined,
  frames: AsyncGenerator<Frame, void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Frame, void> {
  let followed = run;
  // Cancelled once, and only while it goes on: a run that has paused waits for an answer, which may still come.
  const leaveRun = () => {
    if (followed && (followed.run_id !== undefined || followed.isAlone)) leave(client, followed);
    followed = undefined;
  };
  signal?.addEventListener("abort", leaveRun, { once: true });
  let isWithCaller = false;
  try {
    for await (const frame of frames) {
      if (followed && followed.run_id === undefined) followed = namedBy(followed, frame.data);
      if (isEndOf(followed, frame.event, frame.data)) followed = undefined;
      isWithCaller = true;
      yield frame;
      isWithCaller = false;
    }
  } finally {
    signal?.removeEventListener("abort", leaveRun);
    // A connection that broke is no wish to leave: the run can be followed again.
    if (isWithCaller) leaveRun();
  }
}
