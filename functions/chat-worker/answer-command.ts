import { createHash } from "node:crypto";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ChatCommand } from "../../shared/schemas/runs/chat-message.ts";
import { getChat, moveChat } from "../../shared/stores/chats/chat.ts";
import { getMessage } from "../../shared/stores/chats/get-message.ts";
import { finish } from "./answer-run.ts";
import type { Handled, Held } from "./chat-worker-deps.ts";
import { say } from "./deliver.ts";
import { end } from "./leased-message.ts";

/** Does what a command says; no run. */
export async function answerCommand(held: Held, command: ChatCommand): Promise<Handled> {
  const { deps, port, message } = held;
  if (command === "stop") return stopRun(held);
  if (command === "new") await moveChat(deps.db, message.scope, freshSession(held));
  const [, id = ""] = port.component.split("/");
  return finish(held, await say(held, command, port.texts[command].replace("{name}", id)));
}

/** Eight hexadecimal characters of its own; the same when the command is tried again. */
function freshSession({ message: { scope, key } }: Held): string {
  const digest = createHash("sha256").update(key).digest("hex");
  return `${scope}:${digest.slice(0, 8)}`;
}

/** Cancels what is being answered in the conversation, for who asked it. Its own message then says that it was. */
async function stopRun(held: Held): Promise<Handled> {
  const { deps, port, message } = held;
  const { answering } = await getChat(deps.db, message.scope);
  const asked = answering && (await getMessage(deps.db, answering, epochSeconds(deps.clock)));
  const isOver = !asked || asked.status === "done" || asked.status === "failed";
  if (isOver || !asked.run) return finish(held, await say(held, "stop", port.texts.nothing_to_stop));
  if (asked.sender !== message.sender) return finish(held, await say(held, "stop", port.texts.not_asker));
  await deps.callRuns({
    rawPath: `/${port.component}/runs/${asked.run.run_id}/cancel`,
    rawQueryString: new URLSearchParams({ session_id: asked.run.session_id }).toString(),
    form: {},
    owner: asked.owner,
    messageKey: message.key,
  });
  // Nobody follows a run that waits for a person.
  await deps.queue.send({ key: asked.key, group: asked.key, once: `${message.key}#stop` });
  return end(held);
}
