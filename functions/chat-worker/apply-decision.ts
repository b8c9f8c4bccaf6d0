import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ChatWork } from "../../shared/schemas/runs/chat-message.ts";
import { getMessage } from "../../shared/stores/chats/get-message.ts";
import type { StoredChatMessage } from "../../shared/stores/chats/message-item.ts";
import { messageOfRun } from "../../shared/stores/chats/run-message.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import { finish } from "./answer-run.ts";
import { mayPassLater } from "./call-runs.ts";
import type { Handled, LeasedMessage } from "./chat-worker-deps.ts";
import { decisionOf } from "./decision-of.ts";
import { sendText } from "./deliver.ts";
import { end } from "./leased-message.ts";

type Work = Extract<ChatWork, { kind: "decision" }>;

const LATER = { again_after_seconds: 5 };

/**
 * Continues a paused run by the answer of a button. It counts only from the person who requested the run, in their
 * conversation; everybody else gets a notice. A button that is pressed twice, or late, changes nothing.
 */
export async function applyDecision(leased: LeasedMessage, work: Work): Promise<Handled> {
  const { deps, port, message } = leased;
  const key = await messageOfRun(deps.db, work.run_id, epochSeconds(deps.clock));
  const answered = key === undefined ? undefined : await getMessage(deps.db, key, epochSeconds(deps.clock));
  const isOver = !answered?.run || answered.scope !== message.scope;
  if (!isOver && answered.sender !== message.sender) {
    await port.acknowledgeButton?.(message, work, "not_theirs");
    return finish(
      leased,
      await sendText(leased, "not_asker", port.acknowledgeButton ? "" : port.texts.not_asker),
    );
  }
  const effect = isOver ? "over" : await continueRun(leased, answered, work.approved);
  if (effect === "later") return LATER;
  await port.acknowledgeButton?.(message, work, effect);
  if (isOver) return end(leased);
  await deps.queue.send({ key: answered.key, group: answered.key, once: `${message.key}#decided` });
  return end(leased);
}

async function continueRun(
  { deps, port, message }: LeasedMessage,
  { owner, run }: StoredChatMessage,
  approved: boolean,
): Promise<"applied" | "over" | "later"> {
  if (!run) return "over";
  const paused = await getRun(deps.db, { owner, ...run }, epochSeconds(deps.clock));
  if (paused?.status !== "PAUSED") return "over";
  const { session_id, run_id } = run;
  const answer = await deps.callRuns({
    rawPath: `/${port.component}/runs/${run_id}/continue`,
    form: { session_id, stream: "false", background: "true", ...decisionOf(paused).form(approved) },
    owner,
    messageKey: message.key,
  });
  if (answer.status !== 202) deps.log.warn("a decision was not accepted", { run_id, status: answer.status });
  if (answer.status === 202) return "applied";
  return answer.status !== 409 && mayPassLater(answer) ? "later" : "over";
}
