import { callerOf } from "../../../shared/auth/caller.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { ownCallId } from "../../../shared/pauses/call-id.ts";
import { openInterrupts, runOfInterrupt } from "../../../shared/pauses/open-interrupts.ts";
import { findVisibleRun, type RunsDeps } from "../../../shared/runs/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { AguiMessage } from "../../../shared/schemas/agui/run-agent-input.ts";
import { fitsKey } from "../../../shared/schemas/values/key-text.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import type { AguiRequest } from "./agui-request.ts";

type Request = Pick<AguiRequest, "principal" | "component" | "body">;

/**
 * The paused run that a request answers. Interrupts and calls name it.
 *
 * @param results  new messages with results of tools
 * @returns undefined where the request answers nothing: then results are those of calls that are over
 * @throws ServiceError NOT_FOUND for an interrupt of no run of this thread; BAD_REQUEST for interrupts of several runs;
 *         CONFLICT where a run waits and the user said something else as well
 */
export async function findWaiting(
  request: Request,
  deps: Pick<RunsDeps, "db" | "clock">,
  results: readonly AguiMessage[],
): Promise<StoredRun | undefined> {
  const resume = request.body.resume ?? [];
  const runs = new Set(resume.map(({ interruptId }) => runOfInterrupt(interruptId)));
  const [named, ...others] = runs;
  if (others.length > 0)
    throw new ServiceError("BAD_REQUEST", "resume may answer the interrupts of one run only");
  if (runs.size > 0) {
    const found = await runInThread(request, deps, named ?? "");
    if (!found) throw notFound("interrupt", resume[0]?.interruptId ?? "");
    if (found.status !== "PAUSED") {
      throw new ServiceError(
        "CONFLICT",
        `run ${found.run_id} is ${found.status}; its interrupts have been answered`,
      );
    }
    return found;
  }
  for (const result of results) {
    const call = ownCallId(result.toolCallId ?? "");
    const run = call && (await runInThread(request, deps, call.run_id));
    if (run?.status === "PAUSED" && isAwaited(run, result)) return refuseMore(request, run);
  }
  return undefined;
}

const isAwaited = (run: StoredRun, { toolCallId }: AguiMessage): boolean =>
  openInterrupts(run).some(({ call }) => call?.id === toolCallId);

/** Results and a message in one request would be two things at once. */
function refuseMore({ body }: Request, run: StoredRun): StoredRun {
  const last = body.messages[body.messages.length - 1];
  if (last?.role !== "user") return run;
  throw new ServiceError(
    "CONFLICT",
    `run ${run.run_id} waits for the results of tools; send them first, and the message after its answer`,
  );
}

function runInThread(
  { principal, component, body }: Request,
  { db, clock }: Pick<RunsDeps, "db" | "clock">,
  run_id: string,
): Promise<StoredRun | undefined> | undefined {
  if (run_id === "" || !fitsKey(run_id)) return undefined;
  const address = { component, session_id: body.threadId, run_id };
  return findVisibleRun(db, callerOf(principal), address, epochSeconds(clock));
}
