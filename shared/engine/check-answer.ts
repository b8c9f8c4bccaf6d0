import * as v from "valibot";
import type { AnswerShape } from "./answer-shape.ts";
import { compileSchema } from "./compile-schema.ts";

export type CheckedAnswer =
  | { readonly valid: true; readonly value: unknown }
  /** `reason` is told to the model, and to the caller when the model cannot do better. */
  | { readonly valid: false; readonly reason: string };

/** Reads an answer as JSON and holds it against the shape that was asked for. */
export async function checkAnswer({ schema, declared }: AnswerShape, text: string): Promise<CheckedAnswer> {
  const read = readJson(text);
  if (!read) return { valid: false, reason: "The answer is not JSON." };
  if (declared) return checkDeclared(declared, read.value);
  const compiled = await compileSchema(schema);
  const reason = compiled.usable ? compiled.check(read.value) : compiled.reason;
  return reason === undefined ? { valid: true, value: read.value } : { valid: false, reason };
}

function checkDeclared(schema: v.GenericSchema, value: unknown): CheckedAnswer {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return { valid: true, value: parsed.output };
  const faults = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? "answer"}: ${issue.message}`);
  return { valid: false, reason: faults.join("; ") };
}

/** Models like to put JSON into a fenced block, whatever they were told. */
const FENCED = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/;

function readJson(text: string): { value: unknown } | undefined {
  const trimmed = text.trim();
  try {
    return { value: JSON.parse(FENCED.exec(trimmed)?.[1] ?? trimmed) };
  } catch {
    return undefined;
  }
}
