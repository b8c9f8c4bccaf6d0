import type { LiveAnswer, Sent } from "./chat-port.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/** Of a longer text only the last characters are shown while it streams. */
const SHOWN = 3_500;
/** Lines about the current steps that are shown at once. */
const STEPS = 6;

/** The message of a platform that shows a growing answer. `text` is Markdown, `status` lines about the current steps. */
export type GrowingMessage = {
  /** Whether the platform accepts a message of this length. */
  readonly fits: (text: string, status: readonly string[]) => boolean;
  readonly post: (text: string, status: readonly string[]) => Promise<Sent>;
  /** A failed edit is made up for by the next one. */
  readonly edit: (id: string, text: string, status: readonly string[]) => Promise<unknown>;
};

/**
 * Shows an answer while it streams: the first content sends a message, later content edits it. An edit that the rate
 * limit does not allow yet is skipped; the last one has the whole text.
 *
 * @param known   id of the message that shows it already
 * @param onSent  called with the id of the message, before the first edit
 * @source docs/interface/chat.md 5.3
 */
export function liveAnswer(
  message: GrowingMessage,
  rate: RateLimiter,
  known: string | undefined,
  onSent: (id: string) => Promise<void>,
): LiveAnswer {
  let id = known;
  let shown = "";
  return {
    show: async (text, steps) => {
      if (text.trim() === "" || !rate.isFree()) return;
      const growing = text.length > SHOWN ? `… ${text.slice(-SHOWN)}` : text;
      const status = steps.slice(-STEPS);
      const next = JSON.stringify([status, growing]);
      if (next === shown || !message.fits(growing, status)) return;
      await rate.waitTurn();
      shown = next;
      if (id !== undefined) {
        await message.edit(id, growing, status);
        return;
      }
      const sent = await message.post(growing, status);
      if (!sent.sent) return;
      id = sent.id;
      await onSent(id);
    },
  };
}
