import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ChatBusy, ChatInbound } from "../../shared/schemas/runs/chat-message.ts";
import { type Claim, claimMessage, recordEnqueued, runOfFeedback } from "../../shared/stores/chats/index.ts";
import type { WebhooksDeps } from "./webhooks-deps.ts";

type Needs = Pick<WebhooksDeps, "db" | "queue" | "clock" | "chatBusy">;

/**
 * Accepts a message once: claims it, puts it into the queue, and records that it is there. Every failure is thrown, so
 * that the platform sends the message again; one that was claimed and not sent is sent then. Feedback is claimed only where it
 * is about an answer: whoever is in a group reacts to everybody.
 *
 *   claim ─▶ send ─▶ record ─▶ 200
 *     │       └ lost, failed: the platform repeats; or the sweeper finds the claim
 *     └ claimed before: 200
 */
export async function acceptMessage(
  { db, queue, clock, chatBusy }: Needs,
  inbound: ChatInbound,
): Promise<Claim | "ignored"> {
  const now = epochSeconds(clock);
  if (inbound.work.kind === "feedback" && !(await runOfFeedback(db, inbound, inbound.work, now))) {
    return "ignored";
  }
  const claim = await claimMessage(db, inbound, now);
  if (claim === "duplicate") return claim;
  const { key } = inbound;
  await queue.send({ key, group: groupOf(inbound, chatBusy), once: key });
  await recordEnqueued(db, key, now);
  return claim;
}

/**
 * What is processed one after the other. The command that stops a run cannot wait behind it, nor can what is said to it; all that
 * may be said so stays in its order.
 */
function groupOf({ scope, owner, work }: ChatInbound, chatBusy: ChatBusy): string {
  // A reaction in a thread does not say in which; and none waits for the answer to the next message.
  if (work.kind === "feedback") return `${owner}#feedback`;
  if (work.kind === "command" && work.command === "stop") return `${scope}#stop`;
  const isSaid = chatBusy === "steer" ? ["run", "command"].includes(work.kind) : isSteering(work);
  return isSaid ? `${scope}#said` : scope;
}

const isSteering = (work: ChatInbound["work"]): boolean => work.kind === "run" && work.busy === "steer";
