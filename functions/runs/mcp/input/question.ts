import { type InputRequest, inputRequired } from "@modelcontextprotocol/server";
import { decisionOf } from "../../../../shared/pauses/ask-call.ts";
import { isObject } from "../../../../shared/schemas/values/json-values.ts";
import type { RunResult } from "../run-result.ts";
import type { ClientCan } from "./client-capabilities.ts";

/** Something that a run waits for, as tools show it. */
export type Waiting = NonNullable<RunResult["waits_for"]>[number];

/** What a person who was asked has answered: as `continue_run` takes it. */
export type Given = { readonly id: string; readonly answer?: unknown; readonly refuse: boolean };

type Form = Extract<
  Parameters<typeof inputRequired.elicit>[0]["requestedSchema"],
  { readonly properties: object }
>;

/**
 * The question to the person behind a client; undefined where that person may not answer it, or the client cannot ask it.
 *
 * @param console  address of the page where it can be answered; undefined where there is none
 */
export function questionFor(
  waiting: Waiting,
  can: ClientCan,
  console: string | undefined,
): InputRequest | undefined {
  // Who has the right to approve is asked, and not who has run it.
  if (waiting.reason === "approval") return undefined;
  const message = asked(waiting);
  const requestedSchema = formFor(waiting);
  if (requestedSchema && can.form) return inputRequired.elicit({ message, requestedSchema });
  if (!requestedSchema && can.url && console) return inputRequired.elicitUrl({ message, url: console });
  return undefined;
}

const asked = ({ message = "The run waits for an answer.", tool }: Waiting): string =>
  tool ? `${message}\n${tool.name} ${JSON.stringify(tool.args)}` : message;

/** The answer to a question; undefined for one that was only shown or not even asked, and for one that was put off. */
export function givenTo(waiting: Waiting, response: unknown): Given | undefined {
  if (!isObject(response) || waiting.reason === "approval") return undefined;
  const { id } = waiting;
  if (response.action === "decline") return { id, refuse: true };
  const content = response.content;
  if (response.action !== "accept" || !isObject(content)) return undefined;
  if (waiting.reason !== "confirmation") return { id, answer: content, refuse: false };
  const { approve, note } = content;
  return { id, answer: decisionOf(approve, note), refuse: false };
}

const confirmation: Form = {
  type: "object",
  properties: {
    approve: { type: "boolean", title: "Approve", description: "Whether it may be carried out" },
    note: { type: "string", title: "Note", description: "Why" },
  },
  required: ["approve"],
};

/** The form of a question; undefined where an answer to it is no flat list of simple values. */
function formFor({ reason, answer_schema: schema }: Waiting): Form | undefined {
  if (reason === "confirmation" && isConfirmation(schema)) return confirmation;
  const fields = fieldsOf(schema);
  if (!fields) return undefined;
  const properties: Record<string, Form["properties"][string]> = {};
  for (const [name, field] of Object.entries(fields.properties)) {
    const simple = simpleField(field);
    if (!simple) return undefined;
    properties[name] = simple;
  }
  return { type: "object", properties, required: fields.required };
}

/** A call that asks for values as well is asked for as a whole. */
const isConfirmation = (schema: Waiting["answer_schema"]): boolean => {
  const { properties } = schema ?? {};
  return isObject(properties) && Object.keys(properties).every((name) => OF_CONFIRMATION.has(name));
};
const OF_CONFIRMATION = new Set(["confirmed", "note", "editedArgs"]);

type Fields = { readonly properties: Readonly<Record<string, unknown>>; readonly required: string[] };

/** The fields of an answer. Where all of them lie under one name, those below it: an answer may leave that name out. */
function fieldsOf(schema: unknown): Fields | undefined {
  if (!isObject(schema) || !isObject(schema.properties)) return undefined;
  const { properties, required } = schema;
  const [only, ...others] = Object.values(properties);
  if (others.length === 0 && isObject(only) && only.type === "object") return fieldsOf(only);
  const names = Array.isArray(required)
    ? required.filter((name): name is string => typeof name === "string")
    : [];
  return { properties, required: names };
}

const SIMPLE = new Set(["string", "number", "integer", "boolean"]);
const KEPT = [
  "type",
  "title",
  "description",
  "enum",
  "default",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
];

function simpleField(field: unknown): Form["properties"][string] | undefined {
  if (!isObject(field) || !SIMPLE.has(String(field.type)) || field.writeOnly === true) return undefined;
  const kept = KEPT.flatMap((name) => (field[name] === undefined ? [] : [[name, field[name]] as const]));
  return Object.fromEntries(kept) as Form["properties"][string]; // its type is one of the simple ones
}
