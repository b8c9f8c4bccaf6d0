import { valueIn } from "../../shared/pauses/text-fields.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ChatWork } from "../../shared/schemas/runs/chat-message.ts";
import {
  getChat,
  getMessage,
  recordAnswer,
  recordAnswered,
  type StoredChatMessage,
} from "../../shared/stores/chats/index.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import { finish } from "./answer-run.ts";
import { labelsOf, questionPart } from "./ask-question.ts";
import { mayPassLater } from "./call-runs.ts";
import type { Handled, LeasedMessage } from "./chat-worker-deps.ts";
import { deliver } from "./deliver.ts";
import { end } from "./leased-message.ts";
import { type ChatPause, pauseOf } from "./pause-of.ts";

/** A run that waits for an answer in the conversation. */
export type Waiting = {
  /** The message that the run answers. */
  readonly asked: StoredChatMessage & { readonly run: NonNullable<StoredChatMessage["run"]> };
  readonly pause: ChatPause;
  /** To the questions before. */
  readonly answers: readonly unknown[];
};

/** What waits in a message's run; undefined where it does not wait, or not for a person in the chat. */
export async function waitingIn(
  { deps }: LeasedMessage,
  asked: StoredChatMessage,
): Promise<Waiting | undefined> {
  const { owner, run, asking } = asked;
  const paused = run && (await getRun(deps.db, { owner, ...run }, epochSeconds(deps.clock)));
  if (!run || paused?.status !== "PAUSED") return undefined;
  const pause = pauseOf(paused);
  if (!pause.isTheirs) return undefined;
  return { asked: { ...asked, run }, pause, answers: asking?.id === pause.id ? asking.answers : [] };
}

const LATER = { again_after_seconds: 5 };

/**
 * Takes a text as the answer to what is open in the conversation. It counts from the person who asked alone. Another word
 * than yes or no, where that is all that is asked, is a message like any other.
 *
 * @returns undefined where nothing is open, or the text is no answer
 */
export async function takeWords(
  leased: LeasedMessage,
  { text, media }: Extract<ChatWork, { kind: "run" }>,
): Promise<Handled | undefined> {
  const { deps, message } = leased;
  if (media.length > 0) return undefined;
  const { asking, session_id = message.scope } = await getChat(deps.db, message.scope);
  if (asking === undefined) return undefined;
  const asked = await getMessage(deps.db, asking, epochSeconds(deps.clock));
  const isTheirs = asked?.sender === message.sender && asked.run?.session_id === session_id;
  const waiting = isTheirs ? await waitingIn(leased, asked) : undefined;
  if (asked?.asking?.by === message.key) return goOnAgain(leased, asked, waiting);
  if (!waiting) return undefined;
  const question = waiting.pause.next(waiting.answers);
  const value = question && valueIn(question.field, text, labelsOf(leased));
  if (value !== undefined) return enterAnswer(leased, waiting, value);
  if (!question || waiting.pause.isDecision) return undefined;
  return ask(leased, waiting, "not_understood");
}

/** Records an answer, and asks the next question or continues the run. */
export async function enterAnswer(leased: LeasedMessage, waiting: Waiting, value: unknown): Promise<Handled> {
  const { deps, message } = leased;
  const { asked, pause } = waiting;
  const answers = [...waiting.answers, value];
  const written = await recordAnswer(deps.db, asked, { id: pause.id, answers, by: message.key });
  return written
    ? goOn(leased, { ...waiting, asked: { ...asked, ...written, run: asked.run }, answers })
    : LATER;
}

/** Continues a message that has given its answer, and whose process died after that. */
export async function goOnAgain(
  leased: LeasedMessage,
  asked: StoredChatMessage,
  waiting: Waiting | undefined,
): Promise<Handled> {
  return waiting ? goOn(leased, waiting) : wakeAsked(leased, asked);
}

/** The message whose run was continued says what becomes of it. */
async function wakeAsked(leased: LeasedMessage, { key }: Pick<StoredChatMessage, "key">): Promise<Handled> {
  await leased.deps.queue.send({ key, group: key, once: `${leased.message.key}#decided` });
  return end(leased);
}

/** Asks the next question, or continues the run where there is none. */
async function goOn(leased: LeasedMessage, waiting: Waiting): Promise<Handled> {
  const { deps, port, message } = leased;
  const { asked, pause, answers } = waiting;
  if (pause.next(answers)) return ask(leased, waiting);
  const { session_id, run_id } = asked.run;
  const fields = pause.fields(answers);
  const answer =
    fields &&
    (await deps.callRuns({
      rawPath: `/${port.component}/runs/${run_id}/continue`,
      form: { session_id, stream: "false", background: "true", ...fields },
      owner: asked.owner,
      messageKey: message.key,
    }));
  // In conflict is what was answered elsewhere, or has ended: the run's own message says what became of it.
  if (answer?.status === 202 || answer?.status === 409) {
    await recordAnswered(deps.db, asked, message.key);
    return wakeAsked(leased, asked);
  }
  if (answer && mayPassLater(answer)) return LATER;
  deps.log.warn("an answer was not accepted", { run_id, status: answer?.status });
  const again = { id: pause.id, answers: [], by: message.key };
  const reset = await recordAnswer(deps.db, asked, again);
  return reset ? ask(leased, { ...waiting, answers: [] }, "not_accepted") : LATER;
}

/** Asks the question that comes next. */
async function ask(
  leased: LeasedMessage,
  { asked, pause, answers }: Waiting,
  why?: "not_understood" | "not_accepted",
): Promise<Handled> {
  const question = pause.next(answers);
  if (!question) return end(leased);
  const before = why === undefined ? [] : [leased.port.texts[why]];
  const part = questionPart(leased, pause, { run_id: asked.run.run_id, answers, question }, before);
  return finish(leased, await deliver(leased, `asks:${pause.id}#${answers.length}`, [part]));
}
