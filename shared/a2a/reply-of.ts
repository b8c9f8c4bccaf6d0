import type { Message } from "@a2a-js/sdk";
import * as v from "valibot";
import type { ContinueRunForm } from "../schemas/runs/run-forms.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import { openQuestions } from "./open-questions.ts";

/** The fields of a continuation that carry answers, each as JSON text. */
export type Reply = Pick<ContinueRunForm, "tools" | "requirements" | "step_requirements">;

const List = v.optional(v.array(v.unknown()));
const AnswerData = v.object({ tools: List, requirements: List, step_requirements: List });

/**
 * The answers in a message to a paused run. A data part with answers is passed on as it is; a text is an answer when
 * exactly one question is open and the text fits it.
 *
 * @returns undefined where the message answers nothing
 * @decided  A guess could let an agent do what no person allowed, so an unclear text leaves the question open.
 */
export function replyOf(message: Message, run: StoredRun): Reply | undefined {
  const data = message.parts
    .map(({ content }) => (content?.$case === "data" ? v.safeParse(AnswerData, content.value) : undefined))
    .flatMap((parsed) => (parsed?.success ? [asTexts(parsed.output)] : []))
    .find((reply) => Object.keys(reply).length > 0);
  if (data) return data;
  const [question, ...others] = openQuestions(run);
  const answers = others.length === 0 ? question?.answer(textOf(message)) : undefined;
  return answers && asTexts(answers);
}

/** The text of a message. */
export const textOf = ({ parts }: Message): string =>
  parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : [])).join("\n");

const asTexts = (answers: Readonly<Record<string, unknown>>): Reply =>
  Object.fromEntries(
    Object.entries(answers)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, JSON.stringify(value)]),
  );
