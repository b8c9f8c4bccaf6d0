import { isRemote } from "../../engine/define/remote-agent.ts";
import type { Runnable } from "../../engine/define/runnable.ts";
import type { HandlerRequest } from "../../http/handler.ts";
import { EventStream, Reply } from "../../http/handler.ts";
import type { runRoutes } from "../../routes/runs.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { AcceptedRun } from "../../schemas/runs/run.ts";
import { nextEventIndex } from "../../stores/runs/events.ts";
import { getRunHead } from "../../stores/runs/get-run.ts";
import { isNested, type StoredRun } from "../../stores/runs/run-item.ts";
import { type FramedRequest, followFrames } from "../foreground/event-frames.ts";
import { sendRunMessage } from "../messages/send-run-message.ts";
import { keyClaimOf } from "../repeated-request.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { type ReadMedia, storeMedia } from "./run-form.ts";

type Request = Pick<
  HandlerRequest<typeof runRoutes.createAgentRun>,
  "principal" | "signal" | "body" | "headers"
> &
  FramedRequest & { readonly late?: unknown; readonly task?: unknown };

/** Thrown where a live run of the session takes the request as a message, so that no new run is made. */
export class Steered extends Error {
  override readonly name = "Steered";
  readonly run: StoredRun;
  readonly message_id: string;
  /** Index of the first event that follows. */
  readonly from: number;

  constructor(run: StoredRun, message_id: string, from: number) {
    super(`taken by run ${run.run_id}`);
    this.run = run;
    this.message_id = message_id;
    this.from = from;
  }
}

type ToSteer = {
  readonly runnable: Runnable;
  readonly session: { readonly user_id: string | null; readonly session_id: string };
  /** Ids of its live runs, the newest first. */
  readonly live: readonly string[];
  /** Who asks. */
  readonly user_id: string | null;
  readonly media: readonly ReadMedia[];
  /** The same for each try of one request. */
  readonly message_id: string;
  /** What is wanted where that run fails before it takes the message. */
  readonly if_ended: "run" | "reject";
};

/**
 * Says what a request asks to the newest live run of its session that its user has started. A run whose end a receiver is to be
 * notified of is made anew: another run's end would not be its own.
 *
 * @throws Steered where that run takes it; ServiceError TOO_MANY_REQUESTS where too much waits for it already
 */
export async function steerLiveRun(request: Request, deps: RunsDeps, asked: ToSteer): Promise<void> {
  const { runnable, session, live, user_id, media, message_id, if_ended } = asked;
  const { callback_url, task_token } = request.body;
  const claim = keyClaimOf(request, user_id, deps);
  const needsOwn = callback_url !== undefined || task_token !== undefined || request.task !== undefined;
  if (needsOwn || (runnable.kind === "agent" && isRemote(runnable))) return;
  const { user_id: owner, session_id } = session;
  for (const run_id of live) {
    const run = await getRunHead(deps.db, { owner, session_id, run_id }, epochSeconds(deps.clock));
    if (!run || isNested(run) || (run.output.user_id ?? null) !== user_id) continue;
    const from = await nextEventIndex(deps.db, run);
    const sent = {
      ...{ message_id, content: request.body.message, if_ended },
      media: await storeMedia(deps.db, run, media),
    };
    const at = { owner, session_id, run_id, from };
    const key = (now: number) => claim(at, now);
    const ended = async () => ({ message_id, state: "unread" as const, late: true as const });
    const stored = await sendRunMessage(deps, request.principal, runnable, run, { ...sent, key }, ended);
    if (!stored.late) throw new Steered(run, message_id, from);
  }
}

/** What a client is answered whose request another run has taken: that run's events from here on, or that it is so. */
export function answerSteered(request: Request, deps: RunsDeps, { run, message_id, from }: Steered) {
  if (request.body.stream) return new EventStream(followFrames(request, deps, run, from));
  const { run_id, session_id, status } = run;
  const accepted: AcceptedRun = { run_id, session_id, status, message_id, steered: true };
  return new Reply(202, accepted);
}
