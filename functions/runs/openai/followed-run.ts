import { ServiceError } from "../../../shared/errors.ts";
import { EventStream } from "../../../shared/http/handler.ts";
import type { EventFrames, FramedRun, RunsDeps } from "../../../shared/runs/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { getRun } from "../../../shared/stores/runs/get-run.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";

export type Frames = (run: FramedRun) => EventFrames;

/**
 * Waits for the end of a run that is streamed, and reads its record.
 *
 * @throws ServiceError BAD_REQUEST where there is no run, because its input does not fit the schema of the component
 */
export async function followedRun(
  begin: (frames: Frames) => Promise<unknown>,
  { db, clock }: Pick<RunsDeps, "db" | "clock">,
): Promise<StoredRun> {
  let begun: FramedRun | undefined;
  let refusal: string | undefined;
  const answer = await begin((run) => {
    begun = run;
    const of: EventFrames["of"] = (event) => {
      if ("content" in event && event.event.endsWith("Error")) refusal = String(event.content);
      return "";
    };
    return { opening: async () => "", of, goesOn: () => "", closing: async () => "" };
  });
  if (!(answer instanceof EventStream)) throw new Error("a run that is streamed was answered otherwise");
  for await (const _ of answer.chunks);
  const { run_id = "", session_id = "", owner } = begun ?? {};
  const run =
    owner === undefined ? undefined : await getRun(db, { owner, session_id, run_id }, epochSeconds(clock));
  if (run) return run;
  const detail = refusal ?? "the message does not fit the input schema of the component";
  throw new ServiceError("BAD_REQUEST", detail);
}
