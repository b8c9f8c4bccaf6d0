/** Writes the client's operations and types from the interface description. `npm run client`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApi } from "../shared/openapi/open-api.ts";
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
type Content = Readonly<Record<string, { readonly schema: unknown }>>;
type Operation = Described & { readonly method: string; readonly path: string };

const JSON_TYPE = "application/json";
const FORM_TYPE = "multipart/form-data";

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
    "/** How each operation travels. */",
    `export const operations = {\n${operations.map(transportOf).join("\n")}\n} as const;`,
    "",
    "/** What each operation takes, and what it answers. */",
    `export type Operations = {\n${operations.map(declarationOf).join("\n")}\n};`,
    "",
  ].join("\n");
}

function transportOf(operation: Operation): string {
  const { operationId, method, path } = operation;
  const requestBody = bodyOf(operation);
  const more = [
    ...(requestBody ? [`, body: "${requestBody.kind}"`] : []),
    ...(isStreaming(operation) ? [", streams: true"] : []),
  ];
  return `  ${operationId}: { method: "${method}", path: "${path}"${more.join("")} },`;
}

function declarationOf(operation: Operation): string {
  const { operationId, summary, parameters = [] } = operation;
  const requestBody = bodyOf(operation);
  const input = [
    ...group("path", parameters),
    ...group("query", parameters),
    ...(requestBody ? [field("body", typeOf(requestBody.schema), isNeeded(requestBody.schema))] : []),
  ];
  const answers = answersOf(operation);
  return [
    `  /** ${summary} */`,
    `  ${operationId}: { input: { ${input.join(" ")} }; answer: ${answers.join(" | ") || "undefined"} };`,
  ].join("\n");
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

const isStreaming = ({ responses }: Operation): boolean =>
  Object.values(responses).some(({ content = {} }) => "text/event-stream" in content);

function answersOf({ responses }: Operation): string[] {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, { content = {} }]) =>
      Object.entries(content)
        .filter(([mediaType]) => mediaType !== "text/event-stream")
        .map(([mediaType, { schema }]) => (mediaType === JSON_TYPE ? typeOf(schema) : typeOfText(mediaType))),
    );
  return [...new Set(types)];
}

if (import.meta.main) writeFileSync(clientFile, clientSource());
