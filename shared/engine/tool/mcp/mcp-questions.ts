import * as v from "valibot";
import type { CallInputField } from "../../../schemas/runs/call-questions.ts";
import { isObject, ownMember } from "../../../schemas/values/json-values.ts";
import type { RemoteQuestion } from "../elsewhere.ts";

/** What a server has asked, by its own keys, as far as an answer to it must be known. */
export const Asked = v.record(
  v.string(),
  v.variant("kind", [
    v.object({ kind: v.literal("url") }),
    v.object({
      kind: v.literal("form"),
      fields: v.array(
        v.object({
          /** As the server calls it. */
          name: v.string(),
          /** As the person is shown it. */
          shown: v.string(),
          type: v.string(),
          required: v.boolean(),
        }),
      ),
    }),
  ]),
);
export type Asked = v.InferOutput<typeof Asked>;

/** A question for a person, and what of it must be known to answer the server. */
export type AskedPerson = { readonly asked: Asked; readonly question: RemoteQuestion };

const ELICITATION = "elicitation/create";

/**
 * What a server asks in the middle of a call, as one question for a person: flat forms, or a page.
 *
 * @param requests  by the server's keys, as they came
 * @throws Error for what is no question for a person, or no form
 */
export function askedOf(requests: Readonly<Record<string, unknown>>): AskedPerson {
  const asked: Record<string, Asked[string]> = {};
  const messages: string[] = [];
  const fields: CallInputField[] = [];
  const urls: string[] = [];
  const isOne = Object.keys(requests).length === 1;
  for (const [key, request] of Object.entries(requests)) {
    const { method, params } = isObject(request) ? request : {};
    if (method !== ELICITATION || !isObject(params))
      throw new Error(`The server asks for ${String(method)}, which it is not given here.`);
    if (typeof params.message === "string") messages.push(params.message);
    if (params.mode === "url") {
      if (typeof params.url !== "string" || !URL.canParse(params.url) || !/^https?:/.test(params.url))
        throw new Error("The server asks to open an address that is none.");
      urls.push(params.url);
      asked[key] = { kind: "url" };
      continue;
    }
    const form = formOf(params.requestedSchema, (name) => (isOne ? name : `${key}.${name}`));
    asked[key] = { kind: "form", fields: form.map(({ field: _, ...known }) => known) };
    fields.push(...form.map(({ field }) => field));
  }
  if (urls.length > 1 || (urls.length > 0 && fields.length > 0))
    throw new Error("The server asks for more than one thing at a time, which no person can be shown here.");
  const [url] = urls;
  return { asked, question: { message: messages.join("\n"), fields, ...(url !== undefined && { url }) } };
}

const types: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  array: "list",
};

function formOf(schema: unknown, shownAs: (name: string) => string) {
  if (!isObject(schema) || !isObject(schema.properties))
    throw new Error("The server asks with a form that is none.");
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, given]) => {
    const property = isObject(given) ? given : {};
    const type = String(property.type ?? "string");
    const isRequired = required.includes(name);
    const shown = shownAs(name);
    // What may stay empty is filled in already: a question is answered when every field has a value.
    const value = property.default ?? (isRequired ? null : "");
    const field: CallInputField = {
      name: shown,
      field_type: types[type] ?? "str",
      description: describedAs(property, isRequired),
      value,
    };
    return { name, shown, type, required: isRequired, field };
  });
}

function describedAs(property: Readonly<Record<string, unknown>>, isRequired: boolean): string | null {
  const texts = [property.title, property.description].filter((text) => typeof text === "string");
  const options = optionsOf(property);
  const parts = [
    ...texts,
    ...(options.length > 0 ? [`One of: ${options.join(", ")}`] : []),
    ...(isRequired ? [] : ["May stay empty"]),
  ];
  return parts.length > 0 ? parts.join(". ") : null;
}

/** The values that a field may have, with their names, where the server lists them. */
function optionsOf(property: Readonly<Record<string, unknown>>): string[] {
  const within = isObject(property.items) ? property.items : property;
  const { enum: values, enumNames: names, oneOf, anyOf } = within;
  if (Array.isArray(values))
    return values.map((value, i) => named(value, Array.isArray(names) ? names[i] : undefined));
  const choices = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : [];
  return choices.flatMap((one) => (isObject(one) && "const" in one ? [named(one.const, one.title)] : []));
}

const named = (value: unknown, title: unknown): string =>
  typeof title === "string" && title !== value ? `${String(value)} (${title})` : String(value);

/** The answers for the server, in the form of its protocol, by its keys. */
export function responsesTo(
  asked: Asked,
  values: Readonly<Record<string, unknown>>,
): Record<string, { action: "accept"; content?: Record<string, string | number | boolean | string[]> }> {
  return Object.fromEntries(
    Object.entries(asked).map(([key, one]) => {
      if (one.kind === "url") return [key, { action: "accept" as const }];
      const content = one.fields.flatMap(({ name, shown, type, required }) => {
        const value = typed(ownMember(values, shown), type);
        return value === undefined || (value === "" && !required) ? [] : [[name, value] as const];
      });
      return [key, { action: "accept" as const, content: Object.fromEntries(content) }];
    }),
  );
}

/** People who answer in text write numbers and yes as text, too. */
function typed(value: unknown, type: string): string | number | boolean | string[] | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== "string" || value === "") return value as string | number | boolean;
  switch (type) {
    case "integer":
    case "number":
      return Number.isNaN(Number(value)) ? value : Number(value);
    case "boolean":
      return value === "true" || (value === "false" ? false : value);
    case "array":
      return value.split(",").map((one) => one.trim());
    default:
      return value;
  }
}
