import * as v from "valibot";
import { issueText } from "../../schemas/values/issue-text.ts";
import { parsedJson } from "../../schemas/values/json-values.ts";
import { isStorable, STORABLE } from "../../schemas/values/storable.ts";
import type { AnswerShape } from "../define/answer-shape.ts";
import type { RunFault } from "../model/model-fault.ts";
import { correctionText } from "../model/streamed-answer.ts";
import type { Execution } from "../run/execution.ts";
import type { Step } from "../run/next-step.ts";
import { newMessage, type RunState } from "../run/run-state.ts";
import { compileSchema } from "../tool/compile-schema.ts";

/**
 * Ends a run whose answer has the requested shape. An invalid answer is returned to the model once, with the reason;
 * after that the run fails.
 */
export async function validateAnswer(
  state: RunState,
  shape: AnswerShape,
  { ports }: Execution,
): Promise<Step> {
  const checked = await checkAnswer(shape, state.messages.at(-1)?.content ?? "");
  if (checked.verdict === "valid") {
    return { state, ending: { kind: "answered", structured: { value: checked.value, type: shape.name } } };
  }
  if (checked.verdict === "uncheckable") {
    const text = `The answer could not be validated against the schema of ${shape.name}. ${checked.reason}`;
    return failed(state, { cause: "input", text, thrown: checked.thrown ?? new Error(text) });
  }
  if (state.corrected) {
    const text = `The model did not answer with ${shape.name}, even when corrected: ${checked.reason}`;
    return failed(state, { cause: "model", text, thrown: new Error(text) });
  }
  const correction = newMessage({ role: "user", content: correctionText(checked.reason) }, ports);
  const passed = [...(state.passed ?? []), correction.id];
  return { state: { ...state, messages: [...state.messages, correction], passed, corrected: true } };
}

const failed = (state: RunState, fault: RunFault): Step => ({ state, ending: { kind: "failed", fault } });

export type CheckedAnswer =
  | { readonly verdict: "valid"; readonly value: unknown }
  /** `reason` is shown to the model, and to the caller when the corrected answer is invalid too. */
  | { readonly verdict: "invalid"; readonly reason: string }
  /** The schema cannot be used; no other answer would pass. */
  | { readonly verdict: "uncheckable"; readonly reason: string; readonly thrown?: unknown };

/** Parses an answer as JSON and validates it against the requested shape. Of several values in it, the first that fits counts. */
export async function checkAnswer(shape: AnswerShape, text: string): Promise<CheckedAnswer> {
  const whole = parsedJson(text);
  // Some models write the value as a text in JSON.
  const values = [whole, ...jsonWithin(typeof whole === "string" ? whole : text)].filter(
    (value) => value !== undefined,
  );
  let first: CheckedAnswer | undefined;
  for (const value of values) {
    const checked = await checkValue(shape, value);
    if (checked.verdict !== "invalid") return checked;
    first ??= checked;
  }
  return first ?? { verdict: "invalid", reason: "The answer is not JSON." };
}

async function checkValue({ schema, declared }: AnswerShape, value: unknown): Promise<CheckedAnswer> {
  if (!isStorable(value)) return { verdict: "invalid", reason: `The answer cannot be kept: ${STORABLE}.` };
  return declared ? checkDeclared(declared, value) : checkSchema(schema, value);
}

async function checkSchema(schema: object, value: unknown): Promise<CheckedAnswer> {
  const compiled = await compileSchema(schema);
  if (!compiled.usable) return { verdict: "uncheckable", reason: compiled.reason };
  try {
    const reason = compiled.check(value);
    return reason === undefined ? { verdict: "valid", value } : { verdict: "invalid", reason };
  } catch (thrown) {
    return { verdict: "uncheckable", reason: "The check did not come to an end.", thrown };
  }
}

function checkDeclared(schema: v.GenericSchema, value: unknown): CheckedAnswer {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return { verdict: "valid", value: parsed.output };
  const errors = parsed.issues.map((issue) => issueText(issue, "answer"));
  return { verdict: "invalid", reason: errors.join("; ") };
}

/** Models often put JSON into a fenced block, even when instructed not to. */
const FENCED = /```(?:json)?\s*\n([\s\S]*?)\n?```/g;

/** Places at which a value may begin that are looked at. */
const MAX_STARTS = 50;

/** Values that are looked at. */
const MAX_VALUES = 5;

/** JSON that a text holds: its fenced blocks, the last one first, then the objects and lists that are written out, the longest first. */
function jsonWithin(text: string): unknown[] {
  const fenced = [...text.matchAll(FENCED)].map(([, block = ""]) => parsedJson(block)).reverse();
  const starts = [...text.matchAll(/[{[]/g)].slice(0, MAX_STARTS).map(({ index }) => index);
  const written: { readonly length: number; readonly value: unknown }[] = [];
  let end = 0;
  for (const start of starts) {
    if (start < end) continue; // within a value that was found
    const stop = endOfValue(text, start);
    const value = stop === undefined ? undefined : parsedJson(text.slice(start, stop));
    if (stop === undefined || value === undefined) continue;
    end = stop;
    written.push({ length: stop - start, value });
  }
  const longest = written.sort((one, other) => other.length - one.length).map(({ value }) => value);
  return [...fenced, ...longest].filter((value) => value !== undefined).slice(0, MAX_VALUES);
}

/** Behind the bracket that closes the one at `start`; brackets within strings do not count. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (isString) {
      if (character === "\\") at += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
