import type { Message } from "../../schemas/runs/run.ts";
import type { LoadObject } from "../../stores/objects/show-media.ts";
import { showMessage } from "../../stores/objects/show-run-media.ts";

/** A conversation with the contents of its media; a run stores references only. */
export async function withMedia(
  messages: readonly Message[],
  load: LoadObject | undefined,
): Promise<readonly Message[]> {
  return load ? Promise.all(messages.map((message) => showMessage(load, message))) : messages;
}
