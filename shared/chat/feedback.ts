import type { ChatFeedback } from "../settings/values/chats.ts";

export type Score = 0 | 1;

/** Whether answers of a chat are judged so. */
export const judgesBy = (feedback: ChatFeedback, how: "buttons" | "reactions"): boolean =>
  feedback === how || feedback === "both";

const emojis: Readonly<Record<string, Score>> = {
  "👍": 1,
  "❤": 1,
  "🎉": 1,
  "🔥": 1,
  "👎": 0,
  "😡": 0,
  "💩": 0,
};
/** Their names in Slack, which knows some by several. */
const names: Readonly<Record<string, Score>> = {
  ...{ "+1": 1, thumbsup: 1, heart: 1, tada: 1, fire: 1 },
  ...{ "-1": 0, thumbsdown: 0, rage: 0, pout: 0, hankey: 0, poop: 0, shit: 0 },
};

/** What a reaction says; undefined for one that says nothing. @source docs/interface/chat.md 6.2 */
export const scoreOfEmoji = (emoji: string): Score | undefined =>
  // Neither the form of an emoji nor the tone of its skin changes what it says.
  scoreIn(emojis, emoji.replace(/[\u{fe0f}\u{1f3fb}-\u{1f3ff}]/gu, ""));

/** The same by the name that Slack gives it, such as `+1::skin-tone-3`. */
export const scoreOfName = (name: string): Score | undefined => scoreIn(names, name.split("::")[0] ?? "");

const scoreIn = (scores: Readonly<Record<string, Score>>, key: string): Score | undefined =>
  Object.hasOwn(scores, key) ? scores[key] : undefined;

/** The payload of a button for feedback: 41 bytes, of the 64 that Telegram takes. */
export const feedbackId = (runId: string, score: Score): string => `fb:${runId}:${score}`;

const FEEDBACK = /^fb:([0-9a-f-]{36}):([01])$/;

/** Parses a button's payload; undefined for a button that is for something else. */
export function readFeedback(id: string | undefined): { run_id: string; score: Score } | undefined {
  const [, run_id, score] = FEEDBACK.exec(id ?? "") ?? [];
  return run_id === undefined ? undefined : { run_id, score: score === "1" ? 1 : 0 };
}
