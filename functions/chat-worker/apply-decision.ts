import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ChatWork } from "../../shared/schemas/runs/chat-message.ts";
import { getMessage, messageOfRun } from "../../shared/stores/chats/index.ts";
import { finish } from "./answer-run.ts";
import { tagOf } from "./ask-question.ts";
import { type Handled, type LeasedMessage, logUnanswered } from "./chat-worker-deps.ts";
import { sendText } from "./deliver.ts";
import { end } from "./leased-message.ts";
import { enterAnswer, goOnAgain, type Waiting, waitingIn } from "./take-answer.ts";

type Work = Extract<ChatWork, { kind: "decision" }>;

/**
 * Takes the answer of a button. It counts only from the person who requested the run, in their conversation; everybody
 * else gets a notice. A button that is pressed twice or late, or belongs to an earlier question, changes nothing.
 */
export async function applyDecision(leased: LeasedMessage, work: Work): Promise<Handled> {
  const { deps, port, message } = leased;
  const now = epochSeconds(deps.clock);
  const key = await messageOfRun(deps.db, work.run_id, now);
  const asked = key === undefined ? undefined : await getMessage(deps.db, key, now);
  const isHere = asked?.scope === message.scope;
  if (isHere && asked.sender !== message.sender) {
    await port.acknowledgeButton?.(message, work, "not_theirs");
    return finish(
      leased,
      await sendText(leased, "not_asker", port.acknowledgeButton ? "" : port.texts.not_asker),
    );
  }
  const waiting = isHere ? await waitingIn(leased, asked) : undefined;
  if (isHere && asked.asking?.by === message.key) return goOnAgain(leased, asked, waiting);
  const isOpen = waiting && belongsTo(waiting, work);
  await port.acknowledgeButton?.(message, work, isOpen ? "applied" : "over");
  if (isOpen) return enterAnswer(leased, waiting, work.approved);
  logUnanswered(leased, "a button of a question that is not open");
  return end(leased);
}

/** Whether a button belongs to the question that is open. */
const belongsTo = ({ pause, answers }: Waiting, { tag }: Work): boolean =>
  pause.next(answers)?.field.kind === "yes_no" &&
  (tag === undefined ? pause.isDecision : tag === tagOf(pause, answers));
