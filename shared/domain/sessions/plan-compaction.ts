import type { Message } from "../../schemas/runs/run.ts";
import type { Compaction, CompactionResult } from "../../schemas/sessions/compaction.ts";

/** Runs that stay as they are: what was said last is what the next question is about. */
const KEPT_RUNS = 2;
const CHARS_PER_TOKEN = 4;
/** What a provider adds around a message: its role, and where it begins and ends. */
const TOKENS_PER_MESSAGE = 8;

/** A completed run with the messages that it added. */
export type SaidRun = { readonly run_id: string; readonly messages: readonly Message[] };

export type Fold = { readonly messages: readonly Message[]; readonly through_run_id: string };

/**
 * The runs to be folded into a summary: all but the last two of those that no earlier summary stands for.
 *
 * @param runs    completed since the earlier summary, the oldest first
 * @param before  the summary that there is
 */
export function planFold(runs: readonly SaidRun[], before: Compaction | undefined): Fold | CompactionResult {
  const folded = runs.slice(0, -KEPT_RUNS);
  const last = folded.at(-1);
  if (last) return { messages: folded.flatMap(({ messages }) => messages), through_run_id: last.run_id };
  if (before) {
    return declined("already_compacted", "an earlier summary stands for all but the latest runs already");
  }
  if (runs.length === 0) return declined("no_history", "no run of this session has completed yet");
  return declined(
    "nothing_to_fold",
    `the latest ${KEPT_RUNS} runs stay as they are, and there are no others`,
  );
}

/**
 * What is stored once a summary was made.
 *
 * @param now  epoch seconds
 */
export function planCompaction(
  { messages, through_run_id }: Fold,
  before: Compaction | undefined,
  summary: string,
  now: number,
): CompactionResult {
  if (summary === "") return declined("summary_failed", "the model gave no summary; try again");
  const tokens_before = tokensOf(messages) + (before?.tokens_after ?? 0);
  const tokens_after = estimate(summary.length);
  if (tokens_after >= tokens_before) {
    return declined(
      "not_worth_it",
      `the summary would take ${tokens_after} tokens, and what it stands for takes ${tokens_before}`,
    );
  }
  const messages_compacted = messages.length + (before?.messages_compacted ?? 0);
  return {
    status: "compacted",
    compacted: true,
    message: `Compacted ${messages_compacted} messages (${tokens_before} -> ${tokens_after} tokens).`,
    record: { summary, through_run_id, messages_compacted, tokens_before, tokens_after, created_at: now },
  };
}

export const declined = (status: CompactionResult["status"], message: string): CompactionResult => ({
  status,
  compacted: false,
  message,
  record: null,
});

const tokensOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + estimate(charsOf(message)), 0);

const charsOf = ({ content = "", tool_calls = [] }: Message): number =>
  content.length + tool_calls.reduce((sum, call) => sum + JSON.stringify(call.function).length, 0);

const estimate = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN) + TOKENS_PER_MESSAGE;
