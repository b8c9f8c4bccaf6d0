import type { Chat, Sending } from "./chat.ts";
import type { useInput } from "./input.ts";
import type { Turn } from "./turn.ts";

type Given = {
  readonly chat: Chat;
  /** The run that goes on. */
  readonly live: Turn | undefined;
  readonly input: ReturnType<typeof useInput>;
  /** Starts a run. @returns whether it was sent */
  readonly send: (message: string, files: readonly File[], more: Sending) => boolean;
};

/** Behind the run that goes on, which only the queue can do. */
const afterwards: Sending = { background: true, session_policy: "queue" };

/** What the composer does while a run goes on: says something to it, or after it, and stops it. */
export function whileLive({ chat, live, input, send }: Given) {
  if (!live) return {};
  const stop = { onStop: () => void chat.stop(live.key), isStopping: live.isStopping };
  // A component whose input is a form takes no text. What is being stopped reads no more.
  if (input.usesForm || live.run_id === undefined || live.isStopping) return stop;
  return {
    ...stop,
    onNow: () => {
      void chat.say(live.key, input.message, input.files);
      input.clear();
    },
    onAfterwards: () => {
      if (send(input.message, input.files, afterwards)) input.clear();
    },
  };
}
