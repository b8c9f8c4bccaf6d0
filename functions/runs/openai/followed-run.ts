import { ServiceError } from "../../../shared/errors.ts";
import { EventStream } from "../../../shared/http/handler.ts";
import type { EventFrames, FramedRun, RunsDeps } from "../../../shared/runs/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { getRun } from "../../../shared/stores/runs/get-run.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";

export type Frames = (run: FramedRun) => EventFrames;

/** What begins a run, or continues one, and streams its events in these frames. */
export type Begin = (frames: Frames) => Promise<unknown>;

/** The stream of what is begun. */
export async function streamedRun(begin: Begin, frames: Frames): Promise<EventStream> {
  const answer = await begin(frames);
  if (answer instanceof EventStream) return answer;
  throw new Error("a run that is streamed was answered otherwise");
}

/**
 * Waits for the end of a run that is streamed, and reads its record.
 *
 * @throws ServiceError BAD_REQUEST where there is no run, because its input does not fit the schema of the component
 */
export async function followedRun(
  begin: Begin,
  { db, clock }: Pick<RunsDeps, "db" | "clock">,
): Promise<StoredRun> {
  let begun: FramedRun | undefined;
  let refusal: string | undefined;
  const { chunks } = await streamedRun(begin, (run) => {
    begun = run;
    const of: EventFrames["of"] = (event) => {
      if ("content" in event && event.event.endsWith("Error")) refusal = String(event.content);
      return "";
    };
    return { opening: async () => "", of, goesOn: () => "", closing: async () => "" };
  });
  for await (const _ of chunks);
  const { run_id = "", session_id = "", owner } = begun ?? {};
  const run =
    owner === undefined ? undefined : await getRun(db, { owner, session_id, run_id }, epochSeconds(clock));
  if (run) return run;
  const detail = refusal ?? "the message does not fit the input schema of the component";
  throw new ServiceError("BAD_REQUEST", detail);
}
