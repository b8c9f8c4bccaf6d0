import type { Write } from "../data/index.ts";
import { ServiceError } from "../errors.ts";
import { followRun, isSettled } from "../events/follow-run.ts";
import { EventStream, Reply } from "../http/handler.ts";
import type { runRoutes } from "../routes/runs.ts";
import { after, epochSeconds } from "../runtime/clock.ts";
import type { AcceptedRun } from "../schemas/runs/run.ts";
import { MAX_IDEMPOTENCY_KEY_CHARS } from "../schemas/runs/run-forms.ts";
import {
  type AnsweringRun,
  claimKeyOfRun,
  findKeyedRun,
  type KeyedRun,
} from "../stores/jobs/idempotency-key.ts";
import { getRun, getRunHead } from "../stores/runs/get-run.ts";
import { type ShownRun, shownOutput } from "../stores/runs/run-row.ts";
import type { RunsRequest } from "./component.ts";
import { type FramedRequest, followFrames } from "./foreground/event-frames.ts";
import type { RunsDeps } from "./runs-deps.ts";

type Request = RunsRequest<typeof runRoutes.createAgentRun>;

/** As much of a request that begins or continues a run as its answer depends on. */
type Repeatable = Pick<Request, "component" | "headers" | "signal" | "invocation"> &
  FramedRequest & {
    readonly body: {
      readonly stream: boolean;
      readonly stream_events: boolean;
      readonly background?: boolean | undefined;
    };
  };

type Begun = ShownRun | Reply | EventStream;

/** The key of a request as its user gave it; empty means none. @throws ServiceError UNPROCESSABLE for one that is too long */
export function keyOf({ headers }: Pick<Request, "headers">): string | null {
  const key = headers["idempotency-key"] ?? "";
  if (key.length > MAX_IDEMPOTENCY_KEY_CHARS) {
    throw new ServiceError(
      "UNPROCESSABLE",
      `Idempotency-Key is longer than ${MAX_IDEMPOTENCY_KEY_CHARS} characters`,
    );
  }
  return key === "" ? null : key;
}

/** The write that claims a request's key for the run that answers it. @param now  epoch seconds */
export type ClaimKey = (of: AnsweringRun, now: number) => Write | undefined;

/** Claims the key of a request for as long as a job would be kept; nothing where the request has none. */
export const keyClaimOf =
  (
    request: Pick<Request, "headers">,
    userId: string | null,
    { settings }: Pick<RunsDeps, "settings">,
  ): ClaimKey =>
  (of, now) => {
    const key = keyOf(request);
    const expires_at = now + settings.JOB_RETENTION_SECONDS;
    return key === null ? undefined : claimKeyOfRun(of, userId, key, now, expires_at);
  };

/** Another request with the same key was first; nothing was written. */
export const keyTaken = (): ServiceError =>
  new ServiceError(
    "CONFLICT",
    "this Idempotency-Key was used by another request at the same moment; send it again",
  );

const isConflict = (error: unknown): boolean => error instanceof ServiceError && error.code === "CONFLICT";

/** What is begun; where something is in its way that the same request has begun in that moment, what that has begun. */
export async function answerTaken(
  request: Repeatable,
  deps: RunsDeps,
  userId: string | null,
  begin: () => Promise<Begun>,
): Promise<Begun> {
  try {
    return await begin();
  } catch (error) {
    const run = isConflict(error) ? await findRepeated(request, deps, userId) : undefined;
    if (run) return answerRepeated(request, deps, run);
    throw error;
  }
}

/** The run that a key was used for before. @throws ServiceError CONFLICT where it was deleted: it is not made a second time */
export async function findRepeated(
  request: Pick<Request, "headers">,
  { db, clock }: Pick<RunsDeps, "db" | "clock">,
  userId: string | null,
): Promise<KeyedRun | undefined> {
  const key = keyOf(request);
  const found = key === null ? undefined : await findKeyedRun(db, userId, key, epochSeconds(clock));
  if (found === "removed")
    throw new ServiceError("CONFLICT", "the run of this Idempotency-Key was deleted; use another key");
  return found;
}

/**
 * Answers a request whose key was used before: with what became of that run, in the way in which the request wants to know it.
 *
 * @throws ServiceError CONFLICT for another component, for the events of a run that was requested without them, and where another task
 *         would wait for the run's end in vain
 */
export async function answerRepeated(
  request: Repeatable,
  deps: RunsDeps,
  run: KeyedRun,
  task_token?: string,
): Promise<Begun> {
  const { component, body } = request;
  if (run.component_type !== component.kind || run.component_id !== component.id)
    throw new ServiceError("CONFLICT", "this Idempotency-Key was used for another component");
  if (body.stream && !run.isStreamed) {
    throw new ServiceError(
      "CONFLICT",
      "this Idempotency-Key was used for a run without a stream; poll that run instead",
    );
  }
  if (task_token !== undefined) await requireSameTask(deps, run, task_token);
  if (body.stream) return new EventStream(followFrames(request, deps, run, run.from));
  return (!body.background && (await waitedFor(request, deps, run))) || acceptedReply(run);
}

/** The answer to a request whose run goes on without it. */
export const acceptedReply = ({ run_id, session_id, status }: AcceptedRun): Reply =>
  new Reply(202, { run_id, session_id, status } satisfies AcceptedRun);

/** A run ends one task. Another one would wait in vain. */
async function requireSameTask({ db, clock }: RunsDeps, at: KeyedRun, token: string): Promise<void> {
  const run = await getRunHead(db, at, epochSeconds(clock));
  if (run?.task_token === token) return;
  throw new ServiceError(
    "CONFLICT",
    "this Idempotency-Key was used for a run that does not end this task; give each try of a task a key of its own",
  );
}

/** The run once it has ended or paused; undefined where it goes on for longer than its client is kept waiting. */
async function waitedFor(request: Repeatable, deps: RunsDeps, at: KeyedRun): Promise<ShownRun | undefined> {
  const { db, clock } = deps;
  const timeIsUp = new AbortController();
  const ms = request.invocation.waitLimits?.answer.yieldAfterMs;
  const clear = ms === undefined ? () => {} : after(clock, ms, () => timeIsUp.abort());
  for await (const _ of followRun(db, at, clock, AbortSignal.any([request.signal, timeIsUp.signal])));
  clear();
  const run = await getRun(db, at, epochSeconds(clock));
  if (!run || !isSettled(run)) return undefined;
  const feedback = await request.linksOf?.(at);
  return { ...(await shownOutput(db, run.output)), ...(feedback && { feedback }) };
}
