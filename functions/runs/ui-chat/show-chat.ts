import { notFound } from "../../../shared/errors.ts";
import { EventStream, Reply } from "../../../shared/http/handler.ts";
import { cancelFoundRun, followFrames, type RunsDeps, requireComponent } from "../../../shared/runs/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { UiMessage } from "../../../shared/schemas/ui-chat/ui-message.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { conversationRuns } from "../conversation-runs.ts";
import { runsWithAddresses } from "../with-addresses.ts";
import { chatMessages } from "./chat-messages.ts";
import type { ShownChat } from "./ui-chat-request.ts";
import { UI_STREAM, uiFrames } from "./ui-frames.ts";

/**
 * The messages of a chat. A run that is live has no answer there yet: `followChat` sends all of it.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function showChat(request: ShownChat, deps: RunsDeps): Promise<UiMessage[]> {
  const runs = await runsOf(request, deps);
  if (!runs) throw notFound("session", request.params.chat_id);
  const standing = runs.filter(({ status }) => status !== "REGENERATED");
  const shown = await runsWithAddresses(standing, deps);
  const messages = await Promise.all(shown.map((run) => chatMessages(run, request.principal, deps)));
  return messages.flat();
}

/**
 * The live run of a chat from its first event on; of several the newest. 204 where none is live, and for a chat that is new.
 *
 * @throws ServiceError NOT_FOUND for another user's chat
 */
export async function followChat(request: ShownChat, deps: RunsDeps): Promise<Reply | EventStream> {
  const run = (await runsOf(request, deps))?.findLast(isLive);
  if (!run) return new Reply(204, undefined);
  const { signal, principal } = request;
  const followed = { signal, body: { stream_events: true }, frames: uiFrames(principal, deps) };
  return new EventStream(followFrames(followed, deps, run), UI_STREAM);
}

/** @throws ServiceError NOT_FOUND */
export async function stopChat(request: ShownChat, deps: RunsDeps): Promise<Record<string, never>> {
  const runs = await runsOf(request, deps);
  if (!runs) throw notFound("session", request.params.chat_id);
  for (const run of runs.filter(isLive)) await cancelFoundRun(deps, run, epochSeconds(deps.clock));
  return {};
}

async function runsOf({ principal, component, params }: ShownChat, deps: RunsDeps) {
  await requireComponent(deps, component);
  const found = await conversationRuns({ principal, component, session_id: params.chat_id }, deps);
  return found?.runs;
}

const isLive = ({ status }: StoredRun): boolean => status === "PENDING" || status === "RUNNING";
