import type { RunMessage } from "../../api/run-messages.ts";
import type { RunTree } from "../../conversation/run-nodes.ts";

/** What was said to a run that goes on. `sending` and `failed` are known here alone. */
export type Said = {
  readonly message_id: string;
  readonly text: string;
  readonly state: RunMessage["state"] | "sending" | "failed";
  readonly error?: unknown;
};

/** Messages with one of them as it is now, in its place if it was there before. */
export function withSaid(all: readonly Said[], one: Said): readonly Said[] {
  const at = all.findIndex(({ message_id }) => message_id === one.message_id);
  return at < 0 ? [...all, one] : all.with(at, one);
}

/** Messages as the platform has them, with those of which only this page knows. */
export const readSaid = (all: readonly Said[], listed: readonly RunMessage[]): readonly Said[] =>
  listed.reduce(
    (said, { message_id, content, state }) => withSaid(said, { message_id, text: content, state }),
    all,
  );

/** Those that the run does not show among what it said itself. */
export function outsideOf(said: readonly Said[], tree: RunTree | undefined): readonly Said[] {
  const shown = new Set(Object.values(tree?.nodes ?? {}).flatMap(({ parts }) => parts.map(({ id }) => id)));
  return said.filter(({ message_id, state }) => !shown.has(message_id) && state !== "moved");
}
