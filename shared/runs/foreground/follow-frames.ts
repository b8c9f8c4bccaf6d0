import { isContent } from "../../domain/runs/terminal-events.ts";
import { followRun } from "../../events/follow-run.ts";
import { mediaFrames } from "../../events/media-frames.ts";
import { FunctionTimeout } from "../../http/deadline.ts";
import type { RunAddress } from "../../stores/runs/run-address.ts";
import type { RunsDeps } from "../runs-deps.ts";
import type { FramedRequest } from "./event-frames.ts";
import { STILL_RUNNING_FRAME } from "./still-running-frame.ts";

type FollowRequest = FramedRequest & {
  readonly signal: AbortSignal;
  readonly body: { readonly stream_events: boolean };
};

/**
 * A run's events as frames, while they are recorded; with a comment at the end where the function ends before the run.
 *
 * @param from  index of the first event that is sent
 */
export async function* followFrames(
  { signal, body, frames }: FollowRequest,
  deps: Pick<RunsDeps, "db" | "clock" | "log">,
  at: RunAddress,
  from = 0,
): AsyncGenerator<string> {
  const { db, clock } = deps;
  const given = frames?.(at);
  const frameOf = given?.of ?? mediaFrames(deps);
  if (given) yield await given.opening();
  for await (const event of followRun(db, at, clock, signal, from)) {
    if (body.stream_events || isContent(event)) yield frameOf(event);
  }
  if (signal.reason instanceof FunctionTimeout) yield given?.goesOn() ?? STILL_RUNNING_FRAME;
  else if (given) yield await given.closing();
}
