import { callerOf } from "../../auth/caller.ts";
import type { Principal } from "../../auth/principal.ts";
import type { Write } from "../../data/index.ts";
import { liveSteps } from "../../domain/runs/live-steps.ts";
import { isRemote } from "../../engine/define/remote-agent.ts";
import { inputError, type Runnable } from "../../engine/define/runnable.ts";
import { ServiceError } from "../../errors.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { InputMedia } from "../../schemas/runs/media.ts";
import type { Db } from "../../stores/db.ts";
import { retryUntilWritten } from "../../stores/retry-until-written.ts";
import { readEvents } from "../../stores/runs/events.ts";
import { listInbox, type NewMessage, putMessage, type StoredMessage } from "../../stores/runs/inbox-item.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { endedStatuses } from "../../stores/transactions/fit-ending.ts";
import type { RunsDeps } from "../runs-deps.ts";

/** Most messages of a run that it has not taken. */
const MAX_UNREAD = 20;
/** Twenty messages at the same moment are accepted one after the other. */
const TRIES = 30;

export type Sent = {
  readonly message_id: string;
  readonly content: string;
  readonly media: InputMedia;
  readonly step_id?: string | undefined;
  /** The member's run that it is for. */
  readonly member_run_id?: string | undefined;
  /** What is wanted where the run ends before it takes the message. */
  readonly if_ended: "run" | "reject";
  /** Writes the idempotency key of the request. @param now epoch seconds */
  readonly key?: (now: number) => Write | undefined;
};

/** A message as it is stored, as far as its sender's answer depends on it. */
export type Stored = Pick<StoredMessage, "message_id" | "state" | "moved_to" | "late">;

/** What becomes of a message whose run has ended. @returns undefined where another message has its number */
type Late = (message: NewMessage) => Promise<Stored | undefined>;

/**
 * Puts a message into the inbox of a run that waits, is executed or is paused. The same message again changes nothing.
 *
 * @param late  called where the run has ended
 * @throws  ServiceError CONFLICT for a remote agent, UNPROCESSABLE where the input has a schema, TOO_MANY_REQUESTS where as many
 *          wait as may
 */
export async function sendRunMessage(
  { db, clock }: Pick<RunsDeps, "db" | "clock">,
  principal: Principal,
  runnable: Runnable,
  run: StoredRun,
  sent: Sent,
  late: Late,
): Promise<Stored> {
  refuseUnsteerable(runnable, sent);
  if (runnable.kind === "workflow") await refuseAmbiguous(db, run, sent);
  const { content, media, step_id, member_run_id, message_id, if_ended } = sent;
  const tryOnce = async (): Promise<Stored | undefined> => {
    const all = await listInbox(db, run.run_id);
    const same = all.find((one) => one.message_id === message_id);
    if (same) return same;
    const now = epochSeconds(clock);
    const message = {
      ...{ seq: all.length + 1, message_id, user_id: callerOf(principal).user_id },
      ...{ said: { content, media }, if_ended, created_at: now },
      ...(step_id !== undefined && { step_id }),
      ...(member_run_id !== undefined && { member_run_id }),
    };
    const unread = all.filter(({ state }) => state === "unread").length;
    if (unread >= MAX_UNREAD && !endedStatuses.has(run.status)) throw inboxFull(run);
    const result = await putMessage(db, run, message, now, sent.key?.(now));
    if (result === "key_used") throw new ServiceError("CONFLICT", KEY_USED);
    if (result === "ended") return late(message);
    return result === "accepted" ? { message_id, state: "unread" } : undefined;
  };
  const busy = `run ${run.run_id} is sent too many messages at once; send this one again`;
  return retryUntilWritten(tryOnce, () => new ServiceError("CONFLICT", busy), TRIES);
}

const KEY_USED = "this Idempotency-Key was used for another request";

function refuseUnsteerable(runnable: Runnable, { content }: Sent): void {
  if (runnable.kind === "agent" && isRemote(runnable)) {
    throw new ServiceError("CONFLICT", `${runnable.id} runs elsewhere: nothing can be said to a run of it`);
  }
  const invalid = inputError(runnable, content);
  if (invalid !== undefined) throw new ServiceError("UNPROCESSABLE", invalid);
}

/** Of several steps at work one has to be named. */
async function refuseAmbiguous(db: Db, run: StoredRun, { step_id }: Sent): Promise<void> {
  if (step_id !== undefined || run.status !== "RUNNING") return;
  const steps = liveSteps((await readEvents(db, run)).events);
  if (steps.length < 2) return;
  const problem = `several steps of run ${run.run_id} are at work: name one as step_id (${steps.join(", ")})`;
  throw new ServiceError("CONFLICT", problem);
}

const inboxFull = ({ run_id }: StoredRun): ServiceError =>
  new ServiceError("TOO_MANY_REQUESTS", `${MAX_UNREAD} messages wait for run ${run_id} already`, {
    headers: { "retry-after": "5" },
  });
