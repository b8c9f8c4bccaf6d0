import { isObject, isTooDeep, parsedJson } from "../schemas/values/json-values.ts";
import { yesOrNo } from "./yes-no.ts";

/** One thing that an answer has to say, for a person who answers in words. */
export type TextField = {
  /** Where its value is in the payload of the answer. */
  readonly path: readonly string[];
  readonly kind: "yes_no" | "choice" | "choices" | "integer" | "number" | "list" | "object" | "text";
  readonly description?: string;
  /** Of a choice: what may be chosen. */
  readonly choices?: readonly string[];
};

type JsonSchema = Readonly<Record<string, unknown>>;

const asSchema = (schema: unknown): JsonSchema => (isObject(schema) ? schema : {});

const kinds: Readonly<Record<string, TextField["kind"]>> = {
  boolean: "yes_no",
  integer: "integer",
  number: "number",
  array: "list",
  object: "object",
};

/** What an answer by this schema has to say, in the order in which it is asked. */
export function textFields(schema: JsonSchema, path: readonly string[] = []): TextField[] {
  const properties = asSchema(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  return required.flatMap((name) => {
    const member = asSchema(properties[name]);
    const here = [...path, name];
    return isObject(member.properties) ? textFields(member, here) : [fieldOf(member, here)];
  });
}

function fieldOf(schema: JsonSchema, path: readonly string[]): TextField {
  const { description } = schema;
  const described = { path, ...(typeof description === "string" && { description }) };
  const [one, several] = [schema.enum, asSchema(schema.items).enum];
  if (Array.isArray(one)) return { ...described, kind: "choice", choices: one.map(String) };
  if (Array.isArray(several)) return { ...described, kind: "choices", choices: several.map(String) };
  // Whoever answers a question without options says one thing.
  if (schema.type === "array" && path[0] === "selections") return { ...described, kind: "text" };
  return { ...described, kind: kinds[String(schema.type)] ?? "text" };
}

type Labels = { readonly yes: string; readonly no: string };

/** The value that a text gives to a field; undefined where it gives none. */
export function valueIn({ kind, choices = [] }: TextField, said: string, labels?: Labels): unknown {
  const text = said.trim();
  switch (kind) {
    case "yes_no":
      return yesOrNo(text, labels);
    case "choice":
      return chosen(text, choices);
    case "choices": {
      const whole = chosen(text, choices);
      if (whole !== undefined) return [whole];
      const parts = text.split(/[,;\n]/).map((part) => chosen(part, choices));
      return parts.includes(undefined) ? undefined : parts;
    }
    case "integer":
    case "number": {
      const number = text === "" ? Number.NaN : Number(text.replace(",", "."));
      const fits = kind === "integer" ? Number.isSafeInteger(number) : Number.isFinite(number);
      return fits ? number : undefined;
    }
    case "list": {
      const json = parsedJson(text);
      if (Array.isArray(json) && !isTooDeep(json)) return json;
      return text === "" ? undefined : text.split(/[,;\n]/).map((part) => part.trim());
    }
    case "object": {
      const json = parsedJson(text);
      return isObject(json) && !isTooDeep(json) ? json : undefined;
    }
    case "text":
      return text === "" ? undefined : text;
  }
}

/** A choice by its name, or by its number in the list. */
function chosen(said: string, choices: readonly string[]): string | undefined {
  const text = said.trim().toLowerCase();
  const word = text.replace(/[.!]+$/, "");
  const named = choices.find((choice) => [text, word].includes(choice.trim().toLowerCase()));
  return named ?? (/^\d{1,3}$/.test(text) ? choices[Number(text) - 1] : undefined);
}
