import type { AskedRequest } from "./asked-request.ts";
import type { JsonSchema, Media, Operation } from "./document.ts";
import { openCheckOf, resolved } from "./schema-checks.ts";

type Described = Operation & { readonly path: string };

/**
 * What a request has that its description does not allow; undefined where it is as described. What is text on its way
 * (paths, queries, forms) is read as the type that its schema names. Members that are not described are allowed, as JSON
 * Schema has it.
 */
export async function requestFault(operation: Described, request: AskedRequest): Promise<string | undefined> {
  const [path = "", query = ""] = request.path.split(/\?(.*)/s);
  return (
    pathFault(operation, path) ??
    (decodes(query) ? queryFault(operation, new URLSearchParams(query)) : "the query cannot be decoded") ??
    (await bodyFault(operation, request))
  );
}

function pathFault({ path, parameters = [] }: Described, asked: string): string | undefined {
  const segments = asked.split("/");
  const named = path.split("/").flatMap((segment, at): [string, string][] => {
    const [, name, verb = ""] = /^\{([^}]+)\}(.*)$/.exec(segment) ?? [];
    return name === undefined ? [] : [[name, (segments[at] ?? "").slice(0, -verb.length || undefined)]];
  });
  for (const [name, text] of named) {
    const described = parameters.find((one) => one.in === "path" && one.name === name);
    try {
      const fault = textFault(described?.schema ?? {}, [decodeURIComponent(text)]);
      if (fault) return `path ${name}${fault}`;
    } catch {
      return `path ${name} cannot be decoded`;
    }
  }
  return undefined;
}

/** Whether a text is percent-encoded as it must be. */
export function decodes(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function queryFault({ parameters = [] }: Described, query: URLSearchParams): string | undefined {
  for (const { name, schema, required } of parameters.filter((one) => one.in === "query")) {
    const given = query.getAll(name);
    if (given.length === 0 && required) return `query ${name} is missing`;
    const fault = given.length > 0 && textFault(schema, given);
    if (fault) return `query ${name}${fault}`;
  }
  return undefined;
}

async function bodyFault({ requestBody }: Described, request: AskedRequest): Promise<string | undefined> {
  if (!requestBody) return undefined;
  const { body, headers } = request;
  // A body without a byte is none, whatever type is named.
  if (body === undefined || body === "") return requestBody.required ? "the body is missing" : undefined;
  const type = headers["content-type"]?.split(";")[0] ?? "";
  const media = requestBody.content[type];
  if (!media) return `${type} is not described`;
  if (type !== "application/json") return formFault(media, body, headers);
  try {
    return openCheckOf(media.schema)(JSON.parse(body));
  } catch {
    return "the body is no JSON";
  }
}

async function formFault({ schema }: Media, body: string, headers: AskedRequest["headers"]) {
  try {
    const form = await new Response(body, { headers }).formData();
    const { properties = {}, required = [] } = resolved(schema) as {
      readonly properties?: Readonly<Record<string, JsonSchema>>;
      readonly required?: readonly string[];
    };
    const missing = required.find((name) => !form.has(name));
    if (missing !== undefined) return `form ${missing} is missing`;
    for (const [name, described] of Object.entries(properties)) {
      const all = form.getAll(name);
      const isFile = JSON.stringify(described).includes('"format":"binary"');
      if (all.some((one) => (typeof one === "string") === isFile))
        return `form ${name} is ${isFile ? "no" : "a"} file`;
      const given = all.map(String);
      const fault = given.length > 0 && textFault(described, given);
      if (fault) return `form ${name}${fault}`;
    }
    return undefined;
  } catch (error) {
    return `the form cannot be read: ${String(error)}`;
  }
}

function textFault(schema: JsonSchema, texts: readonly string[]): string | undefined {
  const { type, items, contentSchema } = resolved(schema);
  if (type === "array")
    return openCheckOf(schema)(texts.map((text) => readAs(resolved(items as JsonSchema), text)));
  if (texts.length > 1) return " is given several times";
  const [text = ""] = texts;
  if (contentSchema !== undefined) {
    const value = parsed(text);
    // An empty field is none.
    if (text.trim() !== "" && value === undefined) return " is no JSON";
    if (value !== undefined) return openCheckOf(contentSchema as JsonSchema)(value);
  }
  return openCheckOf(schema)(readAs(resolved(schema), text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Text as the type that a schema names; as it is where it cannot be read so. */
function readAs({ type }: JsonSchema, text: string): unknown {
  if (type === "integer") return /^-?\d+$/.test(text) ? Number(text) : text;
  if (type === "number") return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
  if (type === "boolean") return text === "true" || text === "false" ? text === "true" : text;
  return text;
}
