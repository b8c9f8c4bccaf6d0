import { untilStopped } from "../../runtime/promises.ts";
import { isRemote } from "../define/remote-agent.ts";
import type { Inbox, SteeredMessage } from "../ports/inbox-port.ts";
import type { Execution } from "../run/execution.ts";
import { hasNoCallLeft } from "../run/next-step.ts";
import { newMessage, type RunState } from "../run/run-state.ts";
import { admitSteered } from "../turn/admit-texts.ts";

/**
 * Takes what people have sent to a run since it began. It is a step of its own, so that the messages are in a checkpoint before
 * the model call that shows them.
 *
 * @returns undefined where there is nothing that the model is to be shown
 * @throws  the signal's reason
 */
export async function takeSteered(state: RunState, execution: Execution): Promise<RunState | undefined> {
  const { inbox, signal } = execution.ports;
  // An answer that broke off is continued first, and whoever has no call left cannot answer.
  const isUnable = state.broken !== undefined || hasNoCallLeft(execution.agent, state.messages);
  if (!inbox || isRemote(execution.agent) || isUnable) return undefined;
  let after = state;
  for (const message of await untilStopped(taken(inbox, execution), signal)) {
    const admitted = await admitSteered(after, messageOf(message, execution), execution);
    if (admitted) after = admitted;
    else await inbox.refuse(message);
    emitTaken(message, admitted ? "taken" : "refused", execution);
  }
  return after === state ? undefined : after;
}

/** A store that fails here ends no run: what was not taken now is taken at the next look, or found at the run's end. */
const taken = (inbox: Inbox, { ports }: Execution): Promise<readonly SteeredMessage[]> =>
  inbox.take().catch((error: unknown) => {
    ports.warn?.("what was said to a run could not be read", { error: String(error) });
    return [];
  });

/** Audio is called `audio` on a message and `audios` in an input. */
function messageOf({ message_id, content, media }: SteeredMessage, { ports }: Execution) {
  const { audios, ...others } = media;
  const shown = { ...others, ...(audios && { audio: audios }) };
  return newMessage({ role: "user", content, ...shown, steered: { message_id } }, ports);
}

function emitTaken(
  { message_id, content }: SteeredMessage,
  state: "taken" | "refused",
  { emit }: Execution,
): void {
  emit({ event: "CustomEvent", name: "user_message", message_id, content, state });
}
