import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ChatWork } from "../../shared/schemas/runs/chat-message.ts";
import { recordRunMessage } from "../../shared/stores/chats/run-message.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import type { RunAddress } from "../../shared/stores/runs/run-address.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import type { ChatAnswer, ChatPart } from "../../shared/webhooks/chat/chat-port.ts";
import { answerOf } from "./answer-of.ts";
import type { Handled, Held } from "./chat-worker-deps.ts";
import { decisionOf } from "./decision-of.ts";
import { type Delivered, deliver, say } from "./deliver.ts";
import { followAnswer } from "./follow-answer.ts";
import { end, wait, writeProgress } from "./leased-message.ts";
import { startRun } from "./start-run.ts";
import { withTyping } from "./with-typing.ts";

/** A run whose end is told to us is looked at all the same, in case the telling was lost. */
const LOOK_AFTER_SECONDS = 120;
/** A run that waits for a person may wait for days. */
const LOOK_AFTER_PAUSE_SECONDS = 900;

/**
 * Answers a message by a run: starts it unless it was started, follows it while there is time, and sends how it ended.
 *
 *   start ─▶ follow ─┬▶ ended: answer ─▶ done
 *                    ├▶ paused: ask ─▶ waits for the answer
 *                    └▶ no time left: waits for the run's end, which wakes us
 */
export async function answerRun(held: Held, work: Extract<ChatWork, { kind: "run" }>): Promise<Handled> {
  const { deps, port, message } = held;
  const age = epochSeconds(deps.clock) - message.sent_at;
  if (port.answersWithin !== undefined && age > port.answersWithin) return end(held);
  if (!message.run) {
    const started = await withTyping(held, () => startRun(held, work));
    if (started !== "started") return started === "over" ? end(held) : started;
  }
  return reportRun(held);
}

/** Names the parts that are sent in place of an answer that was refused. */
const INSTEAD = "instead";

/** Goes on with a message whose run there is. */
export async function reportRun(held: Held): Promise<Handled> {
  const { deps, message } = held;
  if (!message.run) throw new Error("the message has no run");
  const at: RunAddress = { owner: message.owner, ...message.run };
  await withTyping(held, () => followAnswer(held, at));
  const run = await getRun(deps.db, at, epochSeconds(deps.clock));
  if (!run || run.status === "REGENERATED") return end(held);
  if (run.status === "PENDING" || run.status === "RUNNING") return wait(held, LOOK_AFTER_SECONDS);
  if (run.status === "PAUSED") return ask(held, run);
  return finish(held, await reportEnding(held, run));
}

async function reportEnding(held: Held, run: StoredRun): Promise<Delivered> {
  const { deps, port } = held;
  if (run.status === "ERROR") return say(held, "error", port.texts.error);
  if (run.status === "CANCELLED") return say(held, "cancelled", port.texts.cancelled);
  return sendAnswer(held, await answerOf(deps.db, run.output));
}

/** Where the platform does not take what the run has put together, the person gets its text instead. */
async function sendAnswer(held: Held, answer: ChatAnswer): Promise<Delivered> {
  const { port, message } = held;
  if (message.sending?.what !== INSTEAD) {
    const delivered = await deliver(held, "answer", port.partsOf(answer, message));
    if (delivered !== "refused") return delivered;
    // Noted before anything of it is sent, so that whoever goes on does not try what was refused again.
    await writeProgress(held, { sending: { what: INSTEAD, sent: 0 } });
  }
  return deliver(held, INSTEAD, port.partsOf({ text: answer.text, media: [], calls: [] }, message));
}

/** Asks the person, where they may decide; otherwise says that somebody else has to. */
async function ask(held: Held, run: StoredRun): Promise<Handled> {
  const { deps, port, message } = held;
  const { id, lines } = decisionOf(run);
  await recordRunMessage(deps.db, run.run_id, message.key, message.expires_at);
  const part: ChatPart = lines
    ? { kind: "question", text: [port.texts.confirm, ...lines].join("\n"), run_id: run.run_id }
    : { kind: "text", text: port.texts.paused };
  // What was shown so far stays as it is; the answer will be a message of its own.
  if (message.live_id !== undefined) await writeProgress(held, { live_id: undefined });
  const delivered = await deliver(held, `paused:${id}`, [part]);
  return delivered === "delivered" ? wait(held, LOOK_AFTER_PAUSE_SECONDS) : finish(held, delivered);
}

/** Ends what was sent, and what can never be. */
export const finish = async (held: Held, delivered: Delivered): Promise<Handled> =>
  typeof delivered === "object" ? { again_after_seconds: delivered.later } : end(held);
