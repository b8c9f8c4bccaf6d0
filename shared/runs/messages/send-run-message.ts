import { callerOf } from "../../auth/caller.ts";
import type { Principal } from "../../auth/principal.ts";
import { inputError } from "../../engine/define/input-error.ts";
import { isRemote } from "../../engine/define/remote-agent.ts";
import type { Runnable } from "../../engine/define/runnable.ts";
import { ServiceError } from "../../errors.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { InputMedia } from "../../schemas/runs/media.ts";
import { retryUntilWritten } from "../../stores/retry-until-written.ts";
import { listInbox, putMessage, type StoredMessage } from "../../stores/runs/inbox/inbox-item.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { RunsDeps } from "../runs-deps.ts";

/** Most messages of a run that it has not taken. */
const MAX_UNREAD = 20;
/** Twenty messages at the same moment are accepted one after the other. */
const TRIES = 30;

type Sent = {
  readonly message_id: string;
  readonly content: string;
  readonly media: InputMedia;
  readonly step_id?: string | undefined;
  /** What is wanted where the run ends before it takes the message. */
  readonly if_ended: "run" | "reject";
};

/**
 * Puts a message into the inbox of a run that waits, is executed or is paused. The same message again changes nothing.
 *
 * @returns the message as it is stored; undefined where the run has ended
 * @throws  ServiceError CONFLICT for a remote agent, UNPROCESSABLE where the input has a schema, TOO_MANY_REQUESTS where as many
 *          wait as may
 */
export async function sendRunMessage(
  deps: Pick<RunsDeps, "db" | "clock">,
  principal: Principal,
  runnable: Runnable,
  run: StoredRun,
  sent: Sent,
): Promise<Pick<StoredMessage, "message_id" | "state" | "moved_to"> | undefined> {
  refuseUnsteerable(runnable, sent);
  const { db, clock } = deps;
  const tryOnce = async () => {
    const all = await listInbox(db, run.run_id);
    const same = all.find(({ message_id }) => message_id === sent.message_id);
    if (same) return { message: same };
    if (all.filter(({ state }) => state === "unread").length >= MAX_UNREAD) throw inboxFull(run);
    const now = epochSeconds(clock);
    const { content, media, step_id, message_id, if_ended } = sent;
    const message = {
      ...{ seq: all.length + 1, message_id, user_id: callerOf(principal).user_id },
      ...{ said: { content, media }, if_ended, created_at: now },
      ...(step_id !== undefined && { step_id }),
    };
    const result = await putMessage(db, run, message, now);
    if (result === "taken") return undefined;
    return { message: result === "ended" ? undefined : { message_id, state: "unread" as const } };
  };
  const busy = `run ${run.run_id} is sent too many messages at once; send this one again`;
  return (await retryUntilWritten(tryOnce, () => new ServiceError("CONFLICT", busy), TRIES)).message;
}

function refuseUnsteerable(runnable: Runnable, { content }: Sent): void {
  if (runnable.kind === "agent" && isRemote(runnable)) {
    throw new ServiceError("CONFLICT", `${runnable.id} runs elsewhere: nothing can be said to a run of it`);
  }
  const invalid = inputError(runnable, content);
  if (invalid !== undefined) throw new ServiceError("UNPROCESSABLE", invalid);
}

const inboxFull = ({ run_id }: StoredRun): ServiceError =>
  new ServiceError("TOO_MANY_REQUESTS", `${MAX_UNREAD} messages wait for run ${run_id} already`, {
    headers: { "retry-after": "5" },
  });
