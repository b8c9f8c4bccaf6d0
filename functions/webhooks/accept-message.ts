import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ChatBusy, ChatInbound } from "../../shared/schemas/runs/chat-message.ts";
import { type Claim, claimMessage, recordEnqueued } from "../../shared/stores/chats/index.ts";
import type { WebhooksDeps } from "./webhooks-deps.ts";

type Needs = Pick<WebhooksDeps, "db" | "queue" | "clock" | "chatBusy">;

/**
 * Accepts a message once: claims it, puts it into the queue, and records that it is there. Every failure is thrown, so
 * that the platform sends the message again; one that was claimed and not sent is sent then.
 *
 *   claim ─▶ send ─▶ record ─▶ 200
 *     │       └ lost, failed: the platform repeats; or the sweeper finds the claim
 *     └ claimed before: 200
 */
export async function acceptMessage(
  { db, queue, clock, chatBusy }: Needs,
  inbound: ChatInbound,
): Promise<Claim> {
  const now = epochSeconds(clock);
  const claim = await claimMessage(db, inbound, now);
  if (claim === "duplicate") return claim;
  const { key, scope, work } = inbound;
  await queue.send({ key, group: groupOf(scope, work, chatBusy), once: key });
  await recordEnqueued(db, key, now);
  return claim;
}

/**
 * What is processed one after the other. The command that stops a run cannot wait behind it, nor can what is said to it; all that
 * may be said so stays in its order.
 */
function groupOf(scope: string, work: ChatInbound["work"], chatBusy: ChatBusy): string {
  if (work.kind === "command" && work.command === "stop") return `${scope}#stop`;
  const isSaid = chatBusy === "steer" ? ["run", "command"].includes(work.kind) : isSteering(work);
  return isSaid ? `${scope}#said` : scope;
}

const isSteering = (work: ChatInbound["work"]): boolean => work.kind === "run" && work.busy === "steer";
