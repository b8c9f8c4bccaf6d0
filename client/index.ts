import { type Operations, operations } from "./operations.ts";
import { PlatformError } from "./platform-error.ts";
import { type RunEvent, readEvents } from "./read-events.ts";

export type * from "./operations.ts";
export { PlatformError } from "./platform-error.ts";
export type { RunEvent } from "./read-events.ts";

export type ClientOptions = {
  /** Address of the platform, such as the stack's output `BaseUrl`. */
  readonly baseUrl: string;
  /** A bearer credential; a function is called before every request. */
  readonly token?: string | (() => string | Promise<string>);
  /** Replaces the runtime's own `fetch`. */
  readonly fetch?: typeof fetch;
};

export type CallOptions = {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
};

export type OperationName = keyof Operations;
export type StreamingName = {
  [Name in OperationName]: (typeof operations)[Name] extends { readonly streams: true } ? Name : never;
}[OperationName];

type InputOf<Name extends OperationName> = Operations[Name]["input"];

/** An input without required fields may be left out. */
type ArgumentsOf<Name extends OperationName> =
  Record<string, never> extends InputOf<Name>
    ? [input?: InputOf<Name>, options?: CallOptions]
    : [input: InputOf<Name>, options?: CallOptions];

/** One method per operation, named as in the interface description, and `stream` for those that can stream events. */
export type Client = {
  readonly [Name in OperationName]: (...args: ArgumentsOf<Name>) => Promise<Operations[Name]["answer"]>;
} & {
  /**
   * Streams the events of an operation while they happen. Ending the iteration closes the connection.
   *
   * @throws PlatformError for an answer with an error status
   */
  readonly stream: <Name extends StreamingName>(
    name: Name,
    input: InputOf<Name>,
    options?: CallOptions,
  ) => AsyncGenerator<RunEvent, void>;
};

/**
 * A client of the platform over `fetch`. A form's values are encoded by their type: objects as JSON, files as parts.
 *
 * @throws PlatformError from every method, for an answer with an error status
 */
export function createClient(options: ClientOptions): Client {
  const methods = Object.keys(operations).map((name) => [
    name,
    // The keys of the constant are the names of the operations.
    (input: Input = {}, call: CallOptions = {}) => answer(options, name as OperationName, input, call),
  ]);
  const stream = (name: StreamingName, input: Input, call: CallOptions = {}) =>
    events(options, name, input, call);
  // The generated types declare the input and answer of each method.
  return { ...Object.fromEntries(methods), stream } as unknown as Client;
}

type Fields = Readonly<Record<string, unknown>>;
type Input = { readonly path?: Fields; readonly query?: Fields; readonly body?: unknown };

async function answer(
  client: ClientOptions,
  name: OperationName,
  input: Input,
  call: CallOptions,
): Promise<unknown> {
  const response = await send(client, name, withStream(name, input, false), call);
  if (response.status === 204) return undefined;
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("json")) return response.json();
  return type.startsWith("text/") ? response.text() : response.blob();
}

async function* events(
  client: ClientOptions,
  name: StreamingName,
  input: Input,
  call: CallOptions,
): AsyncGenerator<RunEvent, void> {
  const response = await send(client, name, withStream(name, input, true), call);
  if (response.body) yield* readEvents(response.body);
}

/** Sets `stream`, because the server's default for operations that can stream is to stream. */
function withStream(name: OperationName, input: Input, stream: boolean): Input {
  if (!("streams" in operations[name])) return input;
  return { ...input, body: { ...(input.body as Fields | undefined), stream } };
}

async function send(
  { baseUrl, token, fetch: request = fetch }: ClientOptions,
  name: OperationName,
  { path = {}, query = {}, body }: Input,
  { signal, headers }: CallOptions,
): Promise<Response> {
  const operation = operations[name];
  const credential = typeof token === "function" ? await token() : token;
  const url = `${baseUrl.replace(/\/$/, "")}${pathWith(operation.path, path)}${queryOf(query)}`;
  const sent = "body" in operation && body !== undefined ? encoded(operation.body, body) : undefined;
  const response = await request(url, {
    method: operation.method,
    headers: {
      ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
      ...(typeof sent === "string" && { "content-type": "application/json" }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
    ...(signal && { signal }),
  });
  if (!response.ok) throw await PlatformError.of(response);
  return response;
}

const pathWith = (path: string, values: Fields): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));

function queryOf(query: Fields): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null)
      .map((one): [string, string] => [name, textOf(one)]),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

function encoded(kind: "json" | "form", body: unknown): string | URLSearchParams | FormData {
  if (kind === "json") return JSON.stringify(body);
  const pairs = Object.entries(body as Fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .flatMap(([name, value]) =>
      isFiles(value) ? value.map((file) => [name, file] as const) : [[name, value] as const],
    );
  if (!pairs.some(([, value]) => value instanceof Blob)) {
    return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, textOf(value)]));
  }
  const form = new FormData();
  for (const [name, value] of pairs) form.append(name, value instanceof Blob ? value : textOf(value));
  return form;
}

const isFiles = (value: unknown): value is readonly Blob[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => one instanceof Blob);

const textOf = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);
