import { createHash } from "node:crypto";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ChatCommand } from "../../shared/schemas/runs/chat-message.ts";
import { getChat, getMessage, moveChat } from "../../shared/stores/chats/index.ts";
import { finish } from "./answer-run.ts";
import type { Handled, LeasedMessage } from "./chat-worker-deps.ts";
import { sendText } from "./deliver.ts";
import { end } from "./leased-message.ts";

/** Executes a command, without a run. */
export async function answerCommand(leased: LeasedMessage, command: ChatCommand): Promise<Handled> {
  const { deps, port, message } = leased;
  if (command === "stop") return stopRun(leased);
  if (command === "new") await moveChat(deps.db, message.scope, freshSession(leased));
  const [, id = ""] = port.component.split("/");
  return finish(leased, await sendText(leased, command, port.texts[command].replace("{name}", id)));
}

/** A new session id that ends with eight hexadecimal characters; the same when the command is tried again. */
function freshSession({ message: { scope, key } }: LeasedMessage): string {
  const digest = createHash("sha256").update(key).digest("hex");
  return `${scope}:${digest.slice(0, 8)}`;
}

/**
 * Cancels the run that is being answered in the conversation, for the person who asked. That message then reports the
 * cancellation.
 */
async function stopRun(leased: LeasedMessage): Promise<Handled> {
  const { deps, port, message } = leased;
  const { answering } = await getChat(deps.db, message.scope);
  const answered = answering && (await getMessage(deps.db, answering, epochSeconds(deps.clock)));
  const isOver = !answered || answered.status === "done" || answered.status === "failed";
  if (isOver || !answered.run)
    return finish(leased, await sendText(leased, "stop", port.texts.nothing_to_stop));
  if (answered.sender !== message.sender)
    return finish(leased, await sendText(leased, "stop", port.texts.not_asker));
  await deps.callRuns({
    rawPath: `/${port.component}/runs/${answered.run.run_id}/cancel`,
    rawQueryString: new URLSearchParams({ session_id: answered.run.session_id }).toString(),
    form: {},
    owner: answered.owner,
    messageKey: message.key,
  });
  // No worker follows a run that waits for a person.
  await deps.queue.send({ key: answered.key, group: answered.key, once: `${message.key}#stop` });
  return end(leased);
}
