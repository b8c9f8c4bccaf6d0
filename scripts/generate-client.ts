/** Writes the client's operations and types from the interface description. `npm run client`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApi } from "../shared/openapi/open-api.ts";
import { JSON_LINES } from "../shared/schemas/values/json-lines-type.ts";
import { arrayOf, field, recordOf, typeOf } from "./type-of-schema.ts";

/** The generated file. */
export const clientFile = join(import.meta.dirname, "..", "client", "operations.ts");

type Described = {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};
type Parameter = {
  readonly name: string;
  /** Headers are among the options of a call. */
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: unknown;
};
type Content = Readonly<Record<string, { readonly schema: unknown; readonly "x-item-schema"?: unknown }>>;
type Operation = Described & { readonly method: string; readonly path: string };

const JSON_TYPE = "application/json";
const FORM_TYPE = "multipart/form-data";
const STREAM_TYPE = "text/event-stream";
/** The one frame whose data does not carry the name of its event. */
const BARE_EVENT = "WorkflowRunOutput";

/** The generated file, as text. The same routes give the same text. */
export function clientSource(): string {
  const { paths, components } = openApi("") as unknown as {
    // `openApi` builds the document; these are the parts of it that are read here.
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ ...one, method: method.toUpperCase(), path })),
  );
  return [
    "// Generated from the route table; do not edit.",
    "",
    ...Object.entries(components.schemas).map(
      ([name, schema]) => `export type ${name} = ${typeOf(schema)};\n`,
    ),
    "/** How each operation travels: its method, its path, how its body is encoded, and whether it streams. */",
    `export const operations = {\n${operations.map(transportOf).join("\n")}\n} as const;`,
    "",
    "/** The events of runs and the frames around them, as they are named in streams. */",
    `export const eventNames = ${JSON.stringify(eventNamesIn(components.schemas).join(" "))};`,
    "",
    "/**",
    " * What each operation takes, and what it answers. `accepted` is the answer for a run that goes on in the background;",
    " * `events` is the data of the frames that it can stream.",
    " */",
    `export type Operations = {\n${operations.map(declarationOf).join("\n")}\n};`,
    "",
  ].join("\n");
}

function transportOf(operation: Operation): string {
  const { operationId, method, path } = operation;
  const words = [method, path, bodyOf(operation)?.kind ?? "", streamOf(operation) ? "stream" : ""];
  return `  ${operationId}: "${words.join(" ").trim()}",`;
}

const RUN_EVENTS = ["AgentRunEvent", "TeamRunEvent", "WorkflowRunEvent"];

/** The events of all kinds of runs, each once. */
function eventNamesIn(schemas: Readonly<Record<string, unknown>>): string[] {
  return [...new Set(RUN_EVENTS.flatMap((name) => eventNamesOf(schemas[name], schemas)))];
}

function eventNamesOf(schema: unknown, schemas: Readonly<Record<string, unknown>>): string[] {
  const { $ref, anyOf, oneOf, properties } = recordOf(schema);
  if (typeof $ref === "string") return eventNamesOf(schemas[$ref.split("/").at(-1) ?? ""], schemas);
  const variants = anyOf ?? oneOf;
  if (Array.isArray(variants)) return variants.flatMap((one) => eventNamesOf(one, schemas));
  const { const: name } = recordOf(recordOf(properties).event);
  // Its data does not repeat its name: a paused workflow's run as a whole.
  return [typeof name === "string" ? name : BARE_EVENT];
}

function declarationOf(operation: Operation): string {
  const { operationId, summary, parameters = [] } = operation;
  const requestBody = bodyOf(operation);
  const input = [
    ...group("path", parameters),
    ...group("query", parameters),
    ...(requestBody ? [field("body", typeOf(requestBody.schema), isNeeded(requestBody.schema))] : []),
  ];
  const { answers, accepted } = answersOf(operation);
  const events = streamOf(operation);
  const given = [
    `input: { ${input.join(" ")} };`,
    `answer: ${answers.join(" | ") || "undefined"};`,
    ...(accepted ? [`accepted: ${accepted};`] : []),
    ...(events ? [`events: ${events};`] : []),
  ];
  return [`  /** ${summary} */`, `  ${operationId}: { ${given.join(" ")} };`].join("\n");
}

function group(place: Parameter["in"], parameters: readonly Parameter[]): string[] {
  const own = parameters.filter((one) => one.in === place);
  if (own.length === 0) return [];
  const fields = own.map(({ name, required, schema }) => field(name, typeOf(schema), required));
  return [
    field(
      place,
      `{ ${fields.join(" ")} }`,
      own.some(({ required }) => required),
    ),
  ];
}

function bodyOf({ requestBody }: Operation): { kind: "json" | "form"; schema: unknown } | undefined {
  const content = requestBody?.content ?? {};
  const [json, form] = [content[JSON_TYPE], content[FORM_TYPE]];
  if (json) return { kind: "json", schema: json.schema };
  return form && { kind: "form", schema: form.schema };
}

/** A body that is no JSON is text or a file; one of any type is either. */
const typeOfText = (mediaType: string): string =>
  mediaType === "*/*" ? "Blob | string" : mediaType.startsWith("text/") ? "string" : "Blob";

/** Whether a field is required. */
const isNeeded = (schema: unknown): boolean =>
  recordOf(schema).type !== "object" || arrayOf(recordOf(schema).required).length > 0;

/** The type of the data of an operation's frames; undefined for one that streams none. */
function streamOf({ responses }: Operation): string | undefined {
  const stream = Object.values(responses).find(({ content = {} }) => STREAM_TYPE in content);
  if (!stream) return undefined;
  const item = recordOf(stream.content?.[STREAM_TYPE]?.["x-item-schema"]);
  return typeOf(recordOf(recordOf(item.properties).data).contentSchema);
}

/** The answer for a run that goes on in the background, instead of the run itself. */
const ACCEPTED = "AcceptedRun";

/** What an operation answers. */
function answersOf({ responses }: Operation): { answers: readonly string[]; accepted?: string } {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, { content = {} }]) =>
      Object.entries(content)
        // Beside an answer of another type, lines of JSON come where a query asks for them: for programs that read no types.
        .filter(([mediaType]) => mediaType !== STREAM_TYPE && mediaType !== JSON_LINES)
        .map(([mediaType, { schema }]) => (mediaType === JSON_TYPE ? typeOf(schema) : typeOfText(mediaType))),
    );
  const hasLinesAlone =
    types.length === 0 && Object.values(responses).some(({ content }) => content?.[JSON_LINES]);
  const answers = new Set(hasLinesAlone ? ["string"] : types);
  return answers.delete(ACCEPTED) ? { answers: [...answers], accepted: ACCEPTED } : { answers: [...answers] };
}

if (import.meta.main) writeFileSync(clientFile, clientSource());
