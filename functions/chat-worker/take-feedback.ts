import { recordFeedback } from "../../shared/feedback/record-feedback.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ChatWork } from "../../shared/schemas/runs/chat-message.ts";
import { runOfFeedback } from "../../shared/stores/chats/index.ts";
import { getFeedback, removeFeedback } from "../../shared/stores/feedback/index.ts";
import { getRunHead } from "../../shared/stores/runs/get-run.ts";
import { getSessionHead } from "../../shared/stores/sessions/session-item.ts";
import { type Handled, type LeasedMessage, logUnanswered } from "./chat-worker-deps.ts";
import { end } from "./leased-message.ts";

type Work = Extract<ChatWork, { kind: "feedback" }>;

/**
 * Records what a person says about an answer, in their own name: they may be another than who asked.
 *
 * @source docs/interface/chat.md 6.1
 */
export async function takeFeedback(leased: LeasedMessage, work: Work): Promise<Handled> {
  const isRecorded = await judge(leased, work);
  if (!isRecorded) logUnanswered(leased, "feedback on a run that is not there any more");
  if (work.callback_id !== undefined) await leased.port.acknowledgeFeedback?.(work.callback_id, isRecorded);
  return end(leased);
}

/** @returns false where there is nothing to judge */
async function judge({ deps, message }: LeasedMessage, work: Work): Promise<boolean> {
  const { db, clock, exportFeedback } = deps;
  const now = epochSeconds(clock);
  const at = await runOfFeedback(db, message, work, now);
  const session = at && (await getSessionHead(db, at.session_id));
  const run = session && (await getRunHead(db, at, now));
  if (!run) return false;
  const thumb = { run_id: run.run_id, key: "thumb", author: message.sender };
  const { score, taken_back } = work;
  if (score !== undefined) {
    const said = { ...thumb, score, source: "chat", isNamed: true } as const;
    const { outcome } = await recordFeedback({ db, exportFeedback }, { run, session }, said, now);
    return outcome !== "gone";
  }
  const before = await getFeedback(db, thumb);
  if (before && (taken_back ?? before.score) === before.score) await removeFeedback(db, session, before, now);
  return true;
}
