import { SHORT_SECONDS, tryAgainAt } from "../../shared/chat/index.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { Handled, LeasedMessage } from "./chat-worker-deps.ts";
import { end, release } from "./leased-message.ts";

/**
 * Keeps a message whose answer the platform does not take for now: it is down, it limits us, or our token is wrong. That
 * is no failure of ours, so it does not count as one. A short while the message blocks its conversation, which keeps its
 * answers in order; later the sweeper wakes it up.
 *
 * @param afterSeconds  what the platform asks for
 */
export async function postpone(leased: LeasedMessage, afterSeconds: number): Promise<Handled> {
  const { deps, port, message } = leased;
  const now = epochSeconds(deps.clock);
  const { since = now, times = 0 } = message.postponed ?? {};
  const ends = port.maxAgeSeconds === undefined ? undefined : message.sent_at + port.maxAgeSeconds;
  const due_at = tryAgainAt({ now, since, times, afterSeconds, ends });
  if (due_at === undefined) return abandon(leased, since);
  const waits = due_at - now;
  const status = waits > SHORT_SECONDS ? "waiting" : "enqueued";
  deps.log.warn("a chat platform is unavailable", { platform: message.target.platform, waits });
  const set = { status, postponed: { since, times: times + 1 } } as const;
  const released = await release(leased, { set, add: { faults: -1 }, due: due_at });
  return released && status === "enqueued" ? { again_after_seconds: waits, released: true } : "done";
}

/** The answer stays on the run; an operator is notified once for each message, and by one alarm for all. */
function abandon(leased: LeasedMessage, since: number): Promise<"done"> {
  const { deps, message } = leased;
  const { target, run } = message;
  deps.log.error("an answer could not be delivered", {
    platform: target.platform,
    run_id: run?.run_id,
    tried_since: since,
  });
  deps.meter?.record({ UndeliveredAnswers: 1 });
  return end(leased, "failed");
}
