import { type ChatAnswer, type ChatPart, judgesBy } from "../../shared/chat/index.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ChatWork } from "../../shared/schemas/runs/chat-message.ts";
import { recordAsking, recordRunMessage } from "../../shared/stores/chats/index.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import type { RunAddress } from "../../shared/stores/runs/run-keys.ts";
import { questionPart } from "./ask-question.ts";
import { chatAnswerOf } from "./chat-answer-of.ts";
import { type Handled, type LeasedMessage, logUnanswered } from "./chat-worker-deps.ts";
import { type Delivered, deliver, sendText } from "./deliver.ts";
import { followAnswer } from "./follow-answer.ts";
import { becameOf, handOver, isAhead, wakeJoined } from "./join-run.ts";
import { end, wait, writeProgress } from "./leased-message.ts";
import { pauseOf } from "./pause-of.ts";
import { postpone } from "./postpone.ts";
import { startRun } from "./start-run.ts";
import { withTyping } from "./with-typing.ts";

/** A run sends a wake-up when it ends; it is read after this all the same, in case the wake-up was lost. */
const CHECK_AFTER_SECONDS = 120;
/** A run that waits for a person may wait for days. */
const CHECK_AFTER_PAUSE_SECONDS = 900;

/**
 * Answers a message by a run: starts it unless it was started, follows it while there is time, and sends how it ended.
 *
 *   start ─▶ follow ─┬▶ ended: answer ─▶ done
 *                    ├▶ paused: ask ─▶ waits for the answer
 *                    └▶ no time left: waits for the run's end, which sends a wake-up
 */
export async function answerRun(
  leased: LeasedMessage,
  work: Extract<ChatWork, { kind: "run" }>,
): Promise<Handled> {
  const { deps, port, message } = leased;
  const age = epochSeconds(deps.clock) - message.sent_at;
  if (port.maxAgeSeconds !== undefined && age > port.maxAgeSeconds) {
    logUnanswered(leased, "older than the platform takes answers for");
    return end(leased);
  }
  const started = await withTyping(leased, () => startRun(leased, work));
  if (started === "over") return end(leased);
  if (started === "turn") return handOver(leased);
  if (started !== "started") return "notified" in started ? finish(leased, started.notified) : started;
  return isAhead(leased, work) && !leased.message.joins ? handOver(leased) : reportRun(leased);
}

/** Names the parts that are sent in place of an answer that was refused. */
const INSTEAD = "instead";

/** Continues a message whose run was started. */
export async function reportRun(leased: LeasedMessage): Promise<Handled> {
  const { deps, message } = leased;
  if (!message.run) throw new Error("the message has no run");
  const at: RunAddress = { owner: message.owner, ...message.run };
  // What was said to a run is not followed: the message that began it is.
  if (!message.joins) await withTyping(leased, () => followAnswer(leased, at));
  const run = await getRun(deps.db, at, epochSeconds(deps.clock));
  if (!run || run.status === "REGENERATED") {
    logUnanswered(leased, "its run is not there any more");
    return end(leased);
  }
  if (run.status === "PENDING" || run.status === "RUNNING") {
    return wait(leased, at, run.status, CHECK_AFTER_SECONDS);
  }
  if (message.joins) return reportJoined(leased, at, run);
  if (run.status === "PAUSED") return sendQuestion(leased, at, run);
  const handled = await finish(leased, await reportEnding(leased, at, run));
  await wakeJoined(leased, run.run_id);
  return handled;
}

/** A message that was said to a run of another one has nothing to say where that run answers both. */
async function reportJoined(leased: LeasedMessage, at: RunAddress, run: StoredRun): Promise<Handled> {
  const { texts } = leased.port;
  if (run.status === "PAUSED") return wait(leased, at, run.status, CHECK_AFTER_PAUSE_SECONDS);
  const became = await becameOf(leased, at);
  if (became === "answered") return end(leased);
  if (became === "moved") return reportRun(leased);
  return finish(leased, await sendText(leased, became, became === "unread" ? texts.unread : texts.error));
}

async function reportEnding(leased: LeasedMessage, at: RunAddress, run: StoredRun): Promise<Delivered> {
  const { deps, port } = leased;
  if (run.status === "ERROR") return sendText(leased, "error", port.texts.error);
  if (run.status === "CANCELLED") return sendText(leased, "cancelled", port.texts.cancelled);
  return sendAnswer(leased, at, await chatAnswerOf(deps.db, run.output));
}

/** Where the platform does not accept the message that the run has built, the person gets its text instead. */
async function sendAnswer(leased: LeasedMessage, at: RunAddress, answer: ChatAnswer): Promise<Delivered> {
  const { port, message } = leased;
  const send = (what: string, of: ChatAnswer) => {
    const parts = port.partsOf(of, message);
    if (port.feedback === "off") return deliver(leased, what, parts);
    const hasButtons = judgesBy(port.feedback, "buttons");
    return deliver(leased, what, hasButtons ? withButtons(parts, at.run_id) : parts, at);
  };
  if (message.sending?.what !== INSTEAD) {
    const delivered = await send("answer", answer);
    if (delivered !== "refused") return delivered;
    // Recorded before anything of it is sent, so that the next worker does not send again what was refused.
    await writeProgress(leased, { sending: { what: INSTEAD, sent: 0 } });
  }
  return send(INSTEAD, { text: answer.text, media: [], calls: [] });
}

/** The buttons are below the last text of an answer. */
function withButtons(parts: readonly ChatPart[], judged: string): ChatPart[] {
  const last = parts.findLastIndex(({ kind }) => kind === "text");
  return parts.map((part, i) => (i === last && part.kind === "text" ? { ...part, judged } : part));
}

/** Asks the person, where they may answer; otherwise says that another person has to. */
async function sendQuestion(leased: LeasedMessage, at: RunAddress, run: StoredRun): Promise<Handled> {
  const { deps, port, message } = leased;
  const pause = pauseOf(run);
  const { run_id } = run;
  await recordRunMessage(deps.db, run_id, message.key, message.expires_at);
  const question = pause.isTheirs ? pause.next([]) : undefined;
  const part: ChatPart = question
    ? questionPart(leased, pause, { run_id, answers: [], question })
    : { kind: "text", text: port.texts.paused };
  // What was shown so far stays as it is; the answer will be a message of its own.
  if (message.live_id !== undefined) await writeProgress(leased, { live_id: undefined });
  if (question && message.asking?.id !== pause.id) {
    await recordAsking(deps.db, message.scope, message.key);
    // Who gave the last answer stays: its process may have died, and must not answer this question too.
    const { by } = message.asking ?? {};
    await writeProgress(leased, { asking: { id: pause.id, answers: [], ...(by && { by }) } });
  }
  const delivered = await deliver(leased, `paused:${pause.id}`, [part]);
  if (delivered !== "delivered") return finish(leased, delivered);
  return wait(leased, at, run.status, CHECK_AFTER_PAUSE_SECONDS);
}

/** Ends a message whose answer was sent or can never be. */
export const finish = async (leased: LeasedMessage, delivered: Delivered): Promise<Handled> =>
  typeof delivered === "object" ? postpone(leased, delivered.later) : end(leased);
