import { openRequirements } from "../../shared/domain/runs/open-requirements.ts";
import { answerFields, type OpenInterrupt, openInterrupts } from "../../shared/pauses/open-interrupts.ts";
import { type TextField, textFields } from "../../shared/pauses/text-fields.ts";
import type { StepRequirement } from "../../shared/schemas/runs/workflow-run.ts";
import { isObject } from "../../shared/schemas/values/json-values.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";

/** A question of a paused run, as it is asked in a chat. */
export type ChatQuestion = {
  /** What it is about; above the first question of each thing that waits. */
  readonly about: readonly string[];
  readonly field: TextField;
};

/** What a paused run asks, and how it is answered: one question after the other. */
export type ChatPause = {
  /** Names this pause. */
  readonly id: string;
  /** Whether the person in the chat may answer: not what needs another person's approval. */
  readonly isTheirs: boolean;
  /** Whether it is one yes or no. */
  readonly isDecision: boolean;
  /** @param answers  those to the questions before, in their order; undefined where there is no further question */
  readonly next: (answers: readonly unknown[]) => ChatQuestion | undefined;
  /** The fields of a continuation; undefined where the answers do not fit. */
  readonly fields: (answers: readonly unknown[]) => Readonly<Record<string, string>> | undefined;
};

/** Reads a pause. Where everything that waits needs a yes alone, one yes answers all of it. */
export function pauseOf(run: StoredRun): ChatPause {
  const open = openInterrupts(run);
  const asked = open.map((one) => ({ one, fields: fieldsOf(one) }));
  const isDecision = asked.length > 0 && asked.every(({ fields: [field, ...more] }) => isYesNo(field, more));
  return {
    id: idOf(run),
    isTheirs: asked.length > 0 && open.every(({ interrupt }) => interrupt.reason !== "approval"),
    isDecision,
    ...(isDecision ? asDecision(open, asked[0]?.fields[0]) : asForm(asked)),
  };
}

const isYesNo = (field: TextField | undefined, more: readonly TextField[]): boolean =>
  field?.kind === "yes_no" && more.length === 0;

/** With the calls of a step's agent: it may pause again within the same step. */
function idOf({ output }: StoredRun): string {
  const { calls, steps, failures } = openRequirements(output);
  const ofCalls = (all: typeof calls) => all.map(({ requirement }) => requirement.id);
  return [
    ...ofCalls(calls),
    ...steps.flatMap((step) => (step.calls.length > 0 ? ofCalls(step.calls) : [nameOf(step.requirement)])),
    ...failures.map(({ step_id }) => step_id),
  ].join(",");
}

/** A step may be asked about before and after it is executed. */
const nameOf = ({ step_id, is_post_execution }: StepRequirement): string =>
  is_post_execution ? `${step_id}:after` : step_id;

type Asked = { readonly one: OpenInterrupt; readonly fields: readonly TextField[] };

const fieldsOf = ({ interrupt }: OpenInterrupt): TextField[] => textFields(interrupt.responseSchema);

function asDecision(open: readonly OpenInterrupt[], field: TextField | undefined) {
  return {
    next: (answers: readonly unknown[]) =>
      answers.length === 0 && field ? { about: open.flatMap(aboutOf), field } : undefined,
    fields: ([answer]: readonly unknown[]) =>
      merged(open.map((one) => (typeof answer === "boolean" ? one.answer(answer) : undefined))),
  };
}

function asForm(asked: readonly Asked[]) {
  return {
    next: (answers: readonly unknown[]) => walk(asked, answers).next,
    fields: (answers: readonly unknown[]) => {
      const { payloads } = walk(asked, answers);
      return merged(asked.map(({ one }, i) => one.answer(payloads[i])));
    },
  };
}

const merged = (answers: readonly ReturnType<OpenInterrupt["answer"]>[]) => {
  const given = answers.filter((one) => one !== undefined);
  return given.length === answers.length ? answerFields(given) : undefined;
};

/** Enters answers in the order of the questions. A no leaves out what else would be asked about the same thing. */
function walk(asked: readonly Asked[], answers: readonly unknown[]) {
  const rest = [...answers];
  const payloads: Record<string, unknown>[] = [];
  for (const { one, fields } of asked) {
    const payload: Record<string, unknown> = {};
    payloads.push(payload);
    for (const [position, field] of fields.entries()) {
      if (payload.confirmed === false) break;
      if (rest.length === 0) return { next: { about: position === 0 ? aboutOf(one) : [], field }, payloads };
      enter(payload, field.path, rest.shift());
    }
  }
  return { next: undefined, payloads };
}

/** Names are a model's or a tool's, so they are defined and not assigned: `__proto__` is a name like any other. */
function enter(
  payload: Record<string, unknown>,
  [name = "", ...more]: readonly string[],
  value: unknown,
): void {
  const own = Object.hasOwn(payload, name) ? payload[name] : undefined;
  const inner = isObject(own) ? own : {};
  if (more.length > 0) enter(inner, more, value);
  const entered = {
    value: more.length > 0 ? inner : value,
    enumerable: true,
    configurable: true,
    writable: true,
  };
  Object.defineProperty(payload, name, entered);
}

/** What a person has to know before they answer. That a call is about to be made, its line says by itself. */
function aboutOf({ interrupt, call, review, isInDoubt }: OpenInterrupt): string[] {
  if (!call) return [`• ${interrupt.message}`, ...outputLines(review)];
  // Its questions are the call.
  if (interrupt.reason === "user_feedback") return [];
  const isPlain = interrupt.reason === "confirmation" && !isInDoubt;
  return [...(isPlain ? [] : [interrupt.message]), callLine(call)];
}

const outputLines = (review: unknown): string[] =>
  review === undefined ? [] : [shortly(review, REVIEW_CHARS)];

const REVIEW_CHARS = 2_000;
const ARGUMENT_CHARS = 200;

function callLine({ name, args }: NonNullable<OpenInterrupt["call"]>): string {
  // In a fixed order: a stored object comes back in any, and a question that is sent again must be the same.
  const shown = Object.entries(isObject(args) ? args : {})
    .sort()
    .map(([key, value]) => `${key}: ${shortly(value, ARGUMENT_CHARS)}`);
  return `• ${name}${shown.length > 0 ? ` (${shown.join(", ")})` : ""}`;
}

function shortly(value: unknown, most: number): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > most ? `${text.slice(0, most - 1)}…`.toWellFormed() : text;
}
