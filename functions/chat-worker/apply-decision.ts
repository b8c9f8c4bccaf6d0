import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ChatWork } from "../../shared/schemas/runs/chat-message.ts";
import { getMessage } from "../../shared/stores/chats/get-message.ts";
import type { StoredChatMessage } from "../../shared/stores/chats/message-item.ts";
import { messageOfRun } from "../../shared/stores/chats/run-message.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import { finish } from "./answer-run.ts";
import { mayPass } from "./call-runs.ts";
import type { Handled, Held } from "./chat-worker-deps.ts";
import { decisionOf } from "./decision-of.ts";
import { say } from "./deliver.ts";
import { end } from "./leased-message.ts";

type Work = Extract<ChatWork, { kind: "decision" }>;

const LATER = { again_after_seconds: 5 };

/**
 * Continues a paused run by the answer of a button. It counts for whoever asked for the run and in their conversation;
 * everybody else is told so. A button that is pressed twice, or late, changes nothing.
 */
export async function applyDecision(held: Held, work: Work): Promise<Handled> {
  const { deps, port, message } = held;
  const key = await messageOfRun(deps.db, work.run_id, epochSeconds(deps.clock));
  const asked = key === undefined ? undefined : await getMessage(deps.db, key, epochSeconds(deps.clock));
  const isOver = !asked?.run || asked.scope !== message.scope;
  if (!isOver && asked.sender !== message.sender) {
    await takeButton(held, work, port.texts.not_asker);
    return finish(held, await say(held, "not_asker", port.takeButton ? "" : port.texts.not_asker));
  }
  await takeButton(held, work);
  if (isOver) return end(held);
  const status = await continueRun(held, asked, work.approved);
  if (status === "later") return LATER;
  await deps.queue.send({ key: asked.key, group: asked.key, once: `${message.key}#decided` });
  return end(held);
}

const takeButton = async ({ port }: Held, { callback_id }: Work, text?: string): Promise<void> => {
  if (callback_id !== undefined) await port.takeButton?.(callback_id, text);
};

async function continueRun(
  { deps, port, message }: Held,
  { owner, run }: StoredChatMessage,
  approved: boolean,
): Promise<"taken" | "later"> {
  if (!run) return "taken";
  const paused = await getRun(deps.db, { owner, ...run }, epochSeconds(deps.clock));
  if (paused?.status !== "PAUSED") return "taken";
  const { session_id, run_id } = run;
  const answer = await deps.callRuns({
    rawPath: `/${port.component}/runs/${run_id}/continue`,
    form: { session_id, stream: "false", background: "true", ...decisionOf(paused).form(approved) },
    owner,
    messageKey: message.key,
  });
  if (answer.status !== 202) deps.log.warn("a decision was not taken", { run_id, status: answer.status });
  return answer.status !== 409 && mayPass(answer) ? "later" : "taken";
}
