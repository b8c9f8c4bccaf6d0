import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { MessageChange } from "../../shared/stores/chats/change-message.ts";
import { changeLeased, releaseMessage } from "../../shared/stores/chats/lease-message.ts";
import type { Held } from "./chat-worker-deps.ts";

/** Writes down how far a message is. @throws where somebody else holds it by now: then nothing more is done */
export async function writeProgress(held: Held, change: MessageChange): Promise<void> {
  const { deps, message, worker } = held;
  const written = await changeLeased(deps.db, message.key, worker, change);
  if (!written) throw new Error("somebody else answers this message by now");
  held.message = written;
}

/** The message needs nothing any more; what it said is forgotten. */
export async function end({ deps, message, worker }: Held): Promise<"done"> {
  const change = { status: "done", due_at: undefined, work: undefined } as const;
  await releaseMessage(deps.db, message.key, worker, change);
  return "done";
}

/** The message waits for its run. @param seconds after which somebody looks after it, if nothing happens before */
export async function wait({ deps, message, worker }: Held, seconds: number): Promise<"done"> {
  const due_at = epochSeconds(deps.clock) + seconds;
  await releaseMessage(deps.db, message.key, worker, { status: "waiting", due_at });
  return "done";
}
