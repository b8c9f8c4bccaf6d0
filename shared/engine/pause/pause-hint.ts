import { type OpenCallQuestion, openCallQuestions } from "../../domain/runs/open-requirements.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";

const phrases: Readonly<Record<OpenCallQuestion | "in_doubt", string>> = {
  in_doubt: "a decision whether to repeat",
  confirmation: "confirmation of",
  user_input: "input for",
  user_feedback: "answers to",
  external_execution: "the result of",
};

/**
 * A sentence for people about what a run waits for.
 *
 * @returns undefined when every waiting call is executed by the client and marked silent
 */
export function pauseHint(waiting: readonly ToolExecution[]): string | undefined {
  const shown = waiting.filter((call) => call.external_execution_silent !== true);
  const kinds = new Map<string, string[]>();
  for (const call of shown) {
    const [question = "confirmation"] = openCallQuestions(call);
    const phrase = phrases[call.in_doubt === undefined ? question : "in_doubt"];
    kinds.set(phrase, [...(kinds.get(phrase) ?? []), call.tool_name]);
  }
  if (kinds.size === 0) return undefined;
  const parts = [...kinds].map(([phrase, names]) => `${phrase} ${names.join(", ")}`);
  return `Waiting for ${parts.join("; ")}.`;
}
