import type { StreamEvent } from "../api/run-streams.ts";
import { applyEvent } from "./apply-event.ts";
import type { RunTree } from "./run-nodes.ts";

/** Events on their way to the screen; a replay is shown when it has caught up with what was shown before. */
export type Inbox = { tree: RunTree | undefined; lastIndex: number | undefined; isHeld: boolean };

type On = {
  /** A run of which nothing was known has begun. @returns its tree */
  readonly begin: (run_id: string) => RunTree | undefined;
  readonly connected: () => void;
  readonly changed: () => void;
};

/**
 * Puts the events of one connection into an inbox.
 *
 * @returns whether the platform said that the run does not go on
 * @throws Error where the platform does not know the run
 */
export async function receiveEvents(
  events: AsyncIterable<StreamEvent>,
  inbox: Inbox,
  on: On,
): Promise<boolean> {
  let over = false;
  for await (const event of events) {
    if (event.event === "error") throw new Error(event.error);
    if (event.event === "replay" || event.event === "catch_up" || event.event === "subscribed") {
      if (event.event === "replay") over = true;
      if (event.event === "subscribed") inbox.isHeld = false;
      on.connected();
    } else {
      inbox.tree ??= on.begin(event.run_id);
      if ("event_index" in event && event.event_index !== undefined) inbox.lastIndex = event.event_index;
      if (inbox.tree) inbox.tree = applyEvent(inbox.tree, event);
    }
    on.changed();
  }
  return over;
}
