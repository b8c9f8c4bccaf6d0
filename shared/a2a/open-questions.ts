import { type Answers, type OpenInterrupt, openInterrupts } from "../pauses/open-interrupts.ts";
import { type TextField, textFields, valueIn } from "../pauses/text-fields.ts";
import { canonicalJson } from "../schemas/values/json-values.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";

/** An open requirement of a paused run, and how a text answers it. */
export type Question = {
  /** The question, for a person or a model to read. */
  readonly text: string;
  /** Undefined where the text is no answer to it. */
  readonly answer: (text: string) => Answers | undefined;
};

/** The open questions of a paused run. */
export const openQuestions = (run: Pick<StoredRun, "run_id" | "output" | "kwargs">): Question[] =>
  openInterrupts(run).map(questionOf);

function questionOf(one: OpenInterrupt): Question {
  const fields = textFields(one.interrupt.responseSchema);
  const [field, ...others] = fields;
  // A yes is asked for before anything else.
  const isAnswerable =
    field?.kind === "yes_no" || (others.length === 0 && one.interrupt.reason !== "external_execution");
  if (!field || !isAnswerable)
    return { text: `${subjectOf(one, fields)} ${WITH_DATA}`, answer: () => undefined };
  return {
    text: `${subjectOf(one, [field])} ${howToAnswer(field)}`,
    answer: (text) => {
      const value = valueIn(field, text);
      return value === undefined ? undefined : one.answer(payloadOf(field.path, value));
    },
  };
}

const WITH_DATA = "Answer with a data part that holds the requirement, filled in.";

function howToAnswer({ kind, choices = [] }: TextField): string {
  if (kind === "yes_no") return "Answer yes or no.";
  return choices.length > 0 ? `Answer with one of: ${choices.join(", ")}.` : "Answer with its value.";
}

/** What is asked about, by name. */
function subjectOf({ interrupt, call, isInDoubt }: OpenInterrupt, fields: readonly TextField[]): string {
  const inForm = fields.filter(({ path }) => path.length > 1);
  const names = inForm.map(({ path, description }) => nameOf(path, description)).join(", ");
  if (isInDoubt) return interrupt.message;
  if (!call) return names === "" ? interrupt.message : `${interrupt.message} It needs ${names}.`;
  const named = `${call.name} ${canonicalJson(call.args)}`;
  if (fields[0]?.kind === "yes_no" && fields[0].path.length === 1) return `May ${named} be carried out?`;
  return `${named} needs ${names || "a result"}.`;
}

const nameOf = (path: readonly string[], description: string | undefined): string =>
  `${path[path.length - 1]}${description ? ` (${description})` : ""}`;

/** A value in the members that lead to it. */
const payloadOf = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, name) => Object.fromEntries([[name, inner]]), value);
