import fc from "fast-check";
import { anyText, arbitraryOf } from "./arbitrary-of.ts";
import { damaged } from "./damaged.ts";
import type { Media, Operation, Parameter } from "./document.ts";
import type { Staged, Thing } from "./stages/stage.ts";

/** A request as it is sent, and as it is shown to be repeated. */
export type AskedRequest = {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
};

/** How a request is meant: as the example has it, as the schemas allow it, or wrong in some place. */
export type Manner = "example" | "valid" | "invalid";

type Described = Operation & { readonly method: string; readonly path: string };
type Json = Readonly<Record<string, unknown>>;

/** What a request is about, and what stands in place of the description's example. */
export type Subject = Pick<Staged, "about" | "query" | "body" | "signed">;

/** Requests to an operation, made of its description. */
export function requestsTo(
  operation: Described,
  manner: Manner,
  subject: Subject,
): fc.Arbitrary<AskedRequest> {
  return requestsAbout(withExamples(operation, subject), manner, subject.about)
    .filter(({ path }) => path.length < MAX_ADDRESS_CHARS)
    .map((asked) => {
      const signed = subject.signed?.(asked.body ?? "");
      return signed ? { ...asked, headers: { ...asked.headers, ...signed } } : asked;
    });
}

/** The same operation, with other examples of its query and its body. */
function withExamples(operation: Described, { query, body }: Subject): Described {
  const { parameters = [], requestBody } = operation;
  const content = Object.entries(requestBody?.content ?? {}).map(([type, media]) => [
    type,
    body === undefined ? media : { ...media, example: body },
  ]);
  return {
    ...operation,
    parameters: parameters.map((one) =>
      query && one.in === "query" ? { ...one, example: query[one.name] } : one,
    ),
    ...(requestBody && { requestBody: { ...requestBody, content: Object.fromEntries(content) } }),
  };
}

/** What is longer is refused by the front, before anything of ours sees it. @source HTTP API quotas: 10,240 bytes */
const MAX_ADDRESS_CHARS = 9_000;

function requestsAbout(operation: Described, manner: Manner, about: Thing): fc.Arbitrary<AskedRequest> {
  const { method, parameters = [], requestBody } = operation;
  const own = (place: Parameter["in"]) => parameters.filter((one) => one.in === place);
  const variables = fc.record(
    Object.fromEntries(own("path").map((one) => [one.name, variable(one, manner, about)])),
  );
  const query = fc.tuple(...own("query").map((one) => pairs(one, manner, about)));
  const headers = fc.tuple(...own("header").map((one) => headerLine(one, manner)));
  const body = requestBody ? bodyOf(requestBody.content, manner, about) : fc.constant(undefined);
  return fc.tuple(variables, query, headers, body).map(([path, asked, said, sent]) => {
    const text = asked.flat().join("&");
    return {
      method,
      path: filled(operation.path, path) + (text && `?${text}`),
      headers: { ...Object.fromEntries(said.flat()), ...(sent && { "content-type": sent.type }) },
      ...(sent && { body: sent.text }),
    };
  });
}

const filled = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => values[name] ?? name);

/** Half a surrogate pair cannot be in an address. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

function variable({ name, example, schema }: Parameter, manner: Manner, about: Thing): fc.Arbitrary<string> {
  const real = fc.constant(about[name] ?? String(example));
  if (manner === "example") return real.map(encoded);
  const made = manner === "valid" ? arbitraryOf(schema, 1).map(String) : anyText;
  const others = fc
    .oneof(
      fc.constant(String(example)),
      made.filter((text) => text !== ""),
    )
    .map(encoded);
  return fc.oneof(
    { weight: 4, arbitrary: real.map(encoded) },
    { weight: 1, arbitrary: others },
    ...(manner === "invalid"
      ? [{ weight: 1, arbitrary: fc.constantFrom("%", "%00", "%ff", "..%2f..", "a%20b") }]
      : []),
  );
}

function pairs(
  { name, example, schema, required }: Parameter,
  manner: Manner,
  about: Thing,
): fc.Arbitrary<string[]> {
  const known = about[name];
  const written = (value: unknown): string[] =>
    (Array.isArray(value) ? value : [value]).map((one) => `${encoded(name)}=${encoded(String(one))}`);
  const real = fc.constant(written(known ?? example));
  const absent = fc.constant<string[]>([]);
  if (manner === "example")
    return example === undefined ? absent : required ? real : fc.constant(written(example));
  const valid = fc.oneof(arbitraryOf(schema, 1).map(written), ...(known === undefined ? [] : [real]));
  const wrong = fc.oneof(
    anyText.map(written),
    fc.array(anyText, { minLength: 2, maxLength: 3 }).map(written),
  );
  const given = manner === "valid" ? valid : fc.oneof(valid, wrong);
  return fc.oneof(
    { weight: required && manner === "valid" ? 0 : 2, arbitrary: absent },
    { weight: 2, arbitrary: given },
  );
}

/** Header lines carry visible characters of Latin letters; the rest does not leave the client. */
function headerLine({ name }: Parameter, manner: Manner): fc.Arbitrary<[string, string][]> {
  if (manner === "example") return fc.constant([]);
  const value = fc.oneof(fc.constantFrom("1.0", "0.3", "assistant"), fc.stringMatching(/^[!-~]{1,300}$/));
  return fc.option(value, { nil: undefined }).map((one) => (one === undefined ? [] : [[name, one]]));
}

type Sent = { readonly type: string; readonly text: string };

function bodyOf(
  content: Readonly<Record<string, Media>>,
  manner: Manner,
  about: Thing,
): fc.Arbitrary<Sent | undefined> {
  // A urlencoded form carries no file.
  const fitting = Object.entries(content).filter(
    ([type, { example }]) =>
      manner !== "example" || type !== URLENCODED || !Object.keys(Object(example)).some(isFileField),
  );
  const kinds = fitting.map(([type, media]) => {
    const values = valuesOf(media, manner, about);
    if (type === "application/json")
      return values.map((value) => ({ type, text: JSON.stringify(value) ?? "" }));
    return values.map((value) => (type === "multipart/form-data" ? multipart(value) : urlencoded(value)));
  });
  if (manner !== "invalid") return fc.oneof(...kinds);
  const types = fc.constantFrom(
    ...Object.keys(content),
    "text/plain",
    "application/xml",
    "multipart/form-data",
  );
  const broken = fc
    .tuple(types, fc.oneof(anyText, fc.constantFrom("{", "[1,", '{"a":', "a=1&&=", "null", "[]", '"text"')))
    .map(([type, text]) => ({ type, text }));
  return fc.oneof(
    { weight: 6, arbitrary: fc.oneof(...kinds) },
    { weight: 1, arbitrary: broken },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** Bodies: the example, what the schema allows, both mixed, or one of these with something wrong in it. */
function valuesOf({ schema, example = {} }: Media, manner: Manner, about: Thing): fc.Arbitrary<unknown> {
  const shown = fc.constant(withKnown(example, about));
  if (manner === "example") return shown;
  const made = Object.keys(schema).length === 0 ? shown : arbitraryOf(schema, 4);
  const mixed = fc.tuple(shown, made, fc.infiniteStream(fc.boolean())).map(([one, other, coins]) => {
    if (!isObject(one) || !isObject(other)) return one;
    return Object.fromEntries(
      Object.entries({ ...other, ...one }).map(([name, value]) => [
        name,
        name in other && coins.next().value ? other[name] : value,
      ]),
    );
  });
  const valid = fc.oneof(shown, made, mixed);
  return manner === "valid" ? valid : valid.chain(damaged);
}

/** The example about a thing that is there. */
function withKnown(example: unknown, about: Thing): unknown {
  if (!isObject(example)) return example;
  const members = Object.entries(example).map(([name, value]) => {
    const known = about[name.replace(/_ids$/, "_id")];
    if (known === undefined) return [name, value];
    return [name, Array.isArray(value) ? [known] : typeof value === "string" ? known : value];
  });
  return Object.fromEntries(members);
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fieldsOf = (value: unknown): [string, string][] =>
  Object.entries(isObject(value) ? value : {}).flatMap(([name, one]) =>
    (Array.isArray(one) ? one : [one]).map((each): [string, string] => [
      name.toWellFormed(),
      (typeof each === "object" ? JSON.stringify(each) : String(each)).toWellFormed(),
    ]),
  );

const URLENCODED = "application/x-www-form-urlencoded";
const urlencoded = (value: unknown): Sent => ({
  type: URLENCODED,
  text: new URLSearchParams(fieldsOf(value)).toString(),
});

const BOUNDARY = "fuzzed-7c1d9e";
const FILE_FIELDS = new Set(["file", "files"]);
const isFileField = (name: string): boolean => FILE_FIELDS.has(name);

function multipart(value: unknown): Sent {
  const parts = fieldsOf(value).map(([name, text]) => {
    // A control character makes the part's header malformed.
    const named = `name="${name.replaceAll(/["\p{Cc}]/gu, "_")}"`;
    const about = isFileField(name) ? `; filename="note.txt"\r\nContent-Type: text/plain` : "";
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; ${named}${about}\r\n\r\n${text === "" && isFileField(name) ? "x" : text}\r\n`;
  });
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    text: `${parts.join("")}--${BOUNDARY}--\r\n`,
  };
}
