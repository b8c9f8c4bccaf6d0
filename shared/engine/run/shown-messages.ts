import type { PromptView } from "../../schemas/runs/prompt-view.ts";
import type { Message, RunOutput } from "../../schemas/runs/run.ts";
import { envelopeOf } from "../tool/envelope.ts";
import { resultIdOf, storedResultOf } from "../tool/result-id.ts";
import { isAnswer } from "./repetition.ts";
import type { RunRequest } from "./run-request.ts";
import { newMessage, type RunState } from "./run-state.ts";

type Viewed = Pick<RunState, "messages" | "view">;
type Run = Pick<RunRequest, "run_id" | "session_id">;

/** How much of a cleared result is shown. */
const CLEARED = { preview_lines: 4, preview_chars: 160 };

/** Longest text that a person has said within a folded part, and how many of them are shown. */
const SAID_CHARS = 4_000;
const SAID_MOST = 5;

/** What a model is shown of a run's messages: all of them, but for what the run's view leaves out. */
export function shownMessages({ messages, view }: Viewed, run: Run): readonly Message[] {
  if (!view) return messages;
  const kept = folded(messages, view);
  const clearedTo = kept.findIndex(({ id }) => id === view.cleared_to);
  return kept.map((message, at) => {
    if (at < clearedTo && isClearable(message)) return cleared(message, run);
    return view.cut_to === undefined ? message : cut(message, view.cut_to);
  });
}

/**
 * The view that a run was shown last. What was cleared in a run that it continues is whole again: the ids by which that is read are
 * those of the other run.
 */
export function lastViewOf({ metrics, forked_from_run_id }: RunOutput): PromptView | undefined {
  const view = metrics?.additional_metrics?.context;
  if (!view || forked_from_run_id === undefined) return view;
  const { cleared_to: _, ...kept } = view;
  return kept;
}

/** A result of this run that is shown whole, and is longer than what would stand for it, or has files. */
export const isClearable = (message: Message): boolean =>
  message.role === "tool" &&
  !message.from_history &&
  !message.stored_result &&
  (isLong(message) || filesOf(message) > 0);

const isLong = ({ content = "" }: Message): boolean => content.length > 2 * CLEARED.preview_chars;

const filesOf = ({ images = [], audio = [], videos = [], files = [] }: Message): number =>
  images.length + audio.length + videos.length + files.length;

/** A result's head, and the id by which it is read, without its files. Its call has the same id in every process. */
export function cleared(message: Message, run: Run): Message {
  const { content = "", tool_call_id = "", tool_name: tool = "" } = message;
  const stored = storedResultOf(resultIdOf(run, tool_call_id), content, true);
  const { images: _i, audio: _a, videos: _v, files: _f, ...rest } = message;
  const left = filesOf(message);
  const text = isLong(message) ? envelopeOf(content, { ...stored, tool }, CLEARED) : content;
  return { ...rest, content: left === 0 ? text : `${text}\n[Its files, ${left}, are not shown any more.]` };
}

/** What the run was asked stays whole, and so do the model's own words. */
function cut(message: Message, chars: number): Message {
  const { role, content = "", from_history } = message;
  const mayBe = role === "tool" || from_history;
  return mayBe && content.length > chars ? { ...message, content: ends(content, chars) } : message;
}

function ends(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const half = Math.floor(chars / 2);
  const left = (text.length - 2 * half).toLocaleString("en");
  return `${text.slice(0, half)}\n… ${left} characters are left out …\n${text.slice(-half)}`;
}

/**
 * system, the agent's messages, input │ summary │ what people have said since │ from the first message that was kept on
 */
function folded(messages: readonly Message[], { folds }: NonNullable<RunState["view"]>): readonly Message[] {
  const fold = folds?.at(-1);
  const at = messages.findIndex(({ id }) => id === fold?.first_kept_message_id);
  if (!fold || at < 0) return messages;
  const own = messages.findIndex(isAnswer);
  const from = own < 0 ? at : Math.min(own, at);
  const opening = messages.slice(0, from).filter(({ from_history }) => !from_history);
  const said = messages.slice(from, at).filter(({ role, from_history }) => role === "user" && !from_history);
  const summary = newMessage(
    { role: "user", content: fold.summary },
    { newId: () => fold.id, clock: { now: () => fold.created_at * 1000, sleep: async () => undefined } },
  );
  const people = said
    .slice(-SAID_MOST)
    .map((message) => ({ ...message, content: ends(message.content ?? "", SAID_CHARS) }));
  return [...opening, summary, ...people, ...messages.slice(at)];
}
