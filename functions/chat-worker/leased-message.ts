import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { MessageChange } from "../../shared/stores/chats/change-message.ts";
import { changeLeased, releaseMessage } from "../../shared/stores/chats/lease-message.ts";
import type { LeasedMessage } from "./chat-worker-deps.ts";

/** Records the progress of a message. @throws where another worker has it by now: then nothing more is done */
export async function writeProgress(leased: LeasedMessage, change: MessageChange): Promise<void> {
  const { deps, message, worker } = leased;
  const written = await changeLeased(deps.db, message.key, worker, change);
  if (!written) throw new Error("another worker answers this message by now");
  leased.message = written;
}

/** Ends a message: it needs nothing any more, and its content is purged. */
export async function end({ deps, message, worker }: LeasedMessage): Promise<"done"> {
  await releaseMessage(deps.db, message.key, worker, { status: "done", ...purged(message) });
  return "done";
}

/** What is left out of the record of a message that has ended: what was said. Which message answered last stays. */
export const purged = ({ asking }: LeasedMessage["message"]): MessageChange => ({
  due_at: undefined,
  work: undefined,
  ...(asking && { asking: { id: "", answers: [], ...(asking.by && { by: asking.by }) } }),
});

/** Lets a message wait for its run. @param seconds after which it is due again, if no wake-up comes before */
export async function wait({ deps, message, worker }: LeasedMessage, seconds: number): Promise<"done"> {
  const due_at = epochSeconds(deps.clock) + seconds;
  const faults = message.faults - 1;
  await releaseMessage(deps.db, message.key, worker, { status: "waiting", due_at, faults });
  return "done";
}
