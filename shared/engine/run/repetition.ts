import type { Message } from "../../schemas/runs/run.ts";
import { canonicalJson } from "../../schemas/values/json-values.ts";
import type { Agent } from "../define/agent.ts";

/** Whether the model of this run wrote a message. An agent's additional messages have its role too, but no metrics. */
export const isAnswer = ({ role, from_history, metrics }: Message): boolean =>
  role === "assistant" && !from_history && metrics !== undefined;

type Watched = Pick<Agent, "loop_limit" | "tools">;

/** Answers in a row after which the model calls the same again. */
const LONGEST_CYCLE = 3;

/** How often the model is shown the same result before it is reminded. */
const REMINDED_AT = 3;

/**
 * How often in a row the model has called the same and got the same, by itself or in a cycle of up to three answers. Calls of
 * one answer count together. 1 where nothing is repeated; calls of tools that may repeat count for nothing.
 *
 * @param messages  those of the run
 */
export function repetitions(messages: readonly Message[], { loop_limit, tools }: Watched): number {
  const free = new Set(tools.filter(({ may_repeat }) => may_repeat).map(({ name }) => name));
  const recent = recentAnswers(messages, LONGEST_CYCLE * (loop_limit + 1), free);
  return Math.max(1, ...[1, 2, LONGEST_CYCLE].map((length) => repeatsOf(recent, length)));
}

/** How often the newest `length` answers were given in a row. @param recent newest first */
function repeatsOf(recent: readonly string[], length: number): number {
  let same = 0;
  while (same + length < recent.length && recent[same] === recent[same + length]) same += 1;
  return Math.floor(same / length) + 1;
}

/** What the model called and got in each of its last answers, newest first, up to what a person has said. */
function recentAnswers(messages: readonly Message[], most: number, free: ReadonlySet<string>): string[] {
  const answers: string[] = [];
  let results = new Set<string>();
  for (let at = messages.length - 1; at >= 0 && answers.length < most; at -= 1) {
    const message = messages[at];
    if (!message || message.role === "user" || message.from_history) break;
    if (message.role === "tool") {
      if (free.has(message.tool_name ?? "") || holdsMedia(message)) break;
      results.add(resultKey(message));
    }
    if (!isAnswer(message)) continue;
    if (results.size === 0) break;
    answers.push([...results].sort().join("\n"));
    results = new Set();
  }
  return answers;
}

const holdsMedia = ({ images, audio, videos, files }: Message): boolean =>
  [images, audio, videos, files].some((media) => media !== undefined && media.length > 0);

/** What is shown of a stored result has the id of its call. */
const resultKey = ({
  tool_name,
  tool_args,
  content = "",
  stored_result,
  tool_call_error,
}: Message): string => {
  const result = stored_result?.digest ?? content.replace(REMINDER, "");
  return canonicalJson([tool_name, tool_args, result, tool_call_error]);
};

const OPENING = "\n\n[Repeated: ";
const REMINDER = /\n\n\[Repeated: [^\]]*\]$/;

/** The messages, the last result with a reminder where the model repeats itself: it may not have noticed. */
export function withReminder(messages: readonly Message[], agent: Watched): readonly Message[] {
  const last = messages.at(-1);
  if (agent.loop_limit === 0 || last?.role !== "tool") return messages;
  const times = repetitions(messages, agent);
  if (times < Math.min(REMINDED_AT, agent.loop_limit)) return messages;
  const text = `${OPENING}this has now been called ${times} times with the same result. Do something else, or answer.]`;
  return [...messages.slice(0, -1), { ...last, content: (last.content ?? "") + text }];
}
