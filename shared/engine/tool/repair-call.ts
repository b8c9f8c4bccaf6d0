import type { JSONSchema7, JSONSchema7Definition } from "@ai-sdk/provider";
import { isObject, ownMember, parsedJson } from "../../schemas/values/json-values.ts";
import { editDistance } from "../../schemas/values/nearest-name.ts";
import { parseArguments, type RequestedCall } from "../model/streamed-answer.ts";
import { shownParameters } from "./new-tool-call.ts";
import type { Tool } from "./tool.ts";

/**
 * A tool call as its model means it, where that is certain: what a model writes around JSON is taken away, a text becomes the
 * number, truth value, list or object that the schema asks for, and a name becomes that of the one tool that it fits. Everything else
 * stays as it was written, and the model is shown why it does not run.
 *
 * @decided  No bracket is guessed and no value changes: what was approved, and what runs, is what the model wrote.
 */
export function repairedCall(call: RequestedCall, tools: readonly Tool[]): RequestedCall {
  const tool = toolNamed(call.name, tools);
  const name = tool?.name ?? call.name;
  const read = readArguments(call.arguments);
  if (!read) return { ...call, name };
  const result = tool ? fitted(read.args, shownParameters(tool), shownParameters(tool)) : read.args;
  return { ...call, name, arguments: result === read.args ? read.text : JSON.stringify(result) };
}

/** What some models put before the name of a tool. */
const NAMESPACE = /^(?:functions|default_api)[.:]/;

/** The tool that a model means; undefined where several fit, or none does. */
function toolNamed(called: string, tools: readonly Tool[]): Tool | undefined {
  const bare = called.replace(NAMESPACE, "");
  for (const spelled of [called, bare]) {
    const exact = tools.find(({ name }) => name === spelled);
    if (exact) return exact;
  }
  const fitting = tools.filter(({ name }) => plain(name) === plain(bare));
  return fitting.length === 1 ? fitting[0] : undefined;
}

const plain = (name: string): string => name.toLowerCase().replaceAll("-", "_");

/** How many names a model is shown that has called a tool which does not exist. */
const MAX_NAMES = 3;
/** A name that no tool has may be as long as an answer. */
const MAX_COMPARED = 64;

/** The names nearest to one that no tool has, nearest first. */
export function nearestTools(called: string, tools: readonly Pick<Tool, "name">[]): string[] {
  const bare = plain(called.replace(NAMESPACE, "").slice(0, MAX_COMPARED));
  return tools
    .map(({ name }) => ({ name, distance: editDistance(bare, plain(name)) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}

const FENCED = /^```[a-z]*\s*\n([\s\S]*?)\n?\s*```$/i;
const BYTE_ORDER_MARK = /^\uFEFF/;
/** Fences and quotes around arguments that are taken away. */
const MAX_LAYERS = 4;

type Read = { readonly args: Record<string, unknown>; readonly text: string };

/** The arguments in a text, with the text that holds them alone; undefined where it holds none. */
function readArguments(written: string): Read | undefined {
  let text = written;
  for (let layers = 0; layers <= MAX_LAYERS; layers += 1) {
    const args = parseArguments(text);
    if (args) return { args, text };
    const bare = text.replace(BYTE_ORDER_MARK, "").trim();
    const inner = FENCED.exec(bare)?.[1] ?? bare;
    const value = inner === text ? parsedJson(text) : inner;
    if (typeof value !== "string") return undefined;
    text = value;
  }
  return undefined;
}

type Schema = JSONSchema7Definition | undefined;

/** A value with the texts in it as its schema asks for them. The same value where nothing changes. */
function fitted(value: unknown, schema: Schema, root: JSONSchema7): unknown {
  if (typeof value === "string") return unquoted(value, schema, root);
  const own = resolved(schema, root);
  if (Array.isArray(value)) {
    const { items } = own;
    if (items === undefined || Array.isArray(items)) return value;
    const result = value.map((item) => fitted(item, items, root));
    return result.some((item, i) => item !== value[i]) ? result : value;
  }
  if (!isObject(value) || !own.properties) return value;
  const { properties } = own;
  const entries = Object.entries(value);
  const result = entries.map(
    ([name, item]) => [name, fitted(item, ownMember(properties, name), root)] as const,
  );
  return result.some(([, item], i) => item !== entries[i]?.[1]) ? Object.fromEntries(result) : value;
}

/** What a text stands for where its schema takes no text, if reading it loses nothing. */
function unquoted(text: string, schema: Schema, root: JSONSchema7): unknown {
  const types = typesOf(schema, root);
  if (!types || types.has("string")) return text;
  const value = parsedJson(text);
  if (value === undefined || !isWhole(text, value)) return text;
  return types.has(typeOf(value)) || (types.has("integer") && Number.isInteger(value)) ? value : text;
}

/**
 * Whether a value is all of the text that it was read from: written again it gives the same tokens, so that no digit was
 * rounded off and no member was lost.
 */
const isWhole = (text: string, value: unknown): boolean => tokens(text) === JSON.stringify(value);

/** JSON without the whitespace between its tokens, and with texts as `JSON.stringify` writes them. */
const tokens = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (token) =>
    token.startsWith('"') ? JSON.stringify(parsedJson(token)) : "",
  );

const typeOf = (value: unknown): string => {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
};

/** References that lead to references. */
const MAX_REFERENCES = 8;

/** A schema without its reference, where that stays within the schema of the tool. */
function resolved(schema: Schema, root: JSONSchema7): JSONSchema7 {
  let found: unknown = schema;
  for (let i = 0; i < MAX_REFERENCES; i += 1) {
    if (!isObject(found)) return {};
    const { $ref } = found;
    if (typeof $ref !== "string") return found;
    if (!$ref.startsWith("#")) return {};
    found = $ref
      .split("/")
      .slice(1)
      .reduce<unknown>(
        (part, name) =>
          isObject(part) ? ownMember(part, name.replaceAll("~1", "/").replaceAll("~0", "~")) : undefined,
        root,
      );
  }
  return {};
}

const MAX_DEPTH = 8;

/** The types that a schema lets pass; undefined where it does not say, and may take anything. */
function typesOf(schema: Schema, root: JSONSchema7, depth = 0): ReadonlySet<string> | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const { type, const: fixed, enum: listed, anyOf, oneOf } = resolved(schema, root);
  if (type !== undefined) return new Set([type].flat());
  if (fixed !== undefined) return new Set([typeOf(fixed)]);
  if (listed) return new Set(listed.map((one: unknown) => typeOf(one)));
  const choices: (ReadonlySet<string> | undefined)[] | undefined = (anyOf ?? oneOf)?.map((choice: Schema) =>
    typesOf(choice, root, depth + 1),
  );
  if (!choices || choices.includes(undefined)) return undefined;
  return new Set(choices.flatMap((types) => [...(types ?? [])]));
}
