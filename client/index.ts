import { type Call, cancelRun, type ForegroundRun, foregroundRunOf, isEndOf, namedBy } from "./leave-run.ts";
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
  /** Ends the call; see `onLeave` for what becomes of a run. */
  readonly signal?: AbortSignal;
  /**
   * What happens to a run in the foreground when its signal aborts, or when the iteration of its stream is ended early.
   * The platform does not learn that a client has left, so the run goes on to its end, and is paid for, unless it is
   * cancelled. `cancel` (default) cancels it as far as it is known which run it is; `go-on` leaves it.
   */
  readonly onLeave?: "cancel" | "go-on";
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
   * Streams the events of an operation while they happen. Ending the iteration closes the connection and cancels the
   * run that the operation started, if it has not ended; `onLeave` can leave it.
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
  const { run, sent } = waitedFor(name, withStream(name, input, false), call);
  call.signal?.throwIfAborted();
  const response = await send(client, name, sent, call).catch((error) => {
    if (run && call.signal?.aborted) leave(client, run);
    throw error;
  });
  if (response.status === 204) return undefined;
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("json")) return response.json();
  return type.startsWith("text/") ? response.text() : response.blob();
}

/**
 * A run that is waited for tells its id only in its answer. So that it can be found when its caller leaves, it gets a
 * session of its own if the caller names none.
 */
function waitedFor(
  name: OperationName,
  input: Input,
  { signal, onLeave }: CallOptions,
): { readonly run?: ForegroundRun; readonly sent: Input } {
  const run = signal && onLeave !== "go-on" ? foregroundRunOf(name, input) : undefined;
  if (!run || run.run_id !== undefined || run.session_id !== undefined)
    return { ...(run && { run }), sent: input };
  const session_id = crypto.randomUUID();
  const body = { ...(input.body as Fields), session_id };
  return { run: { ...run, session_id, isAlone: true }, sent: { ...input, body } };
}

async function* events(
  client: ClientOptions,
  name: StreamingName,
  input: Input,
  call: CallOptions,
): AsyncGenerator<RunEvent, void> {
  let run = call.onLeave === "go-on" ? undefined : foregroundRunOf(name, input);
  // Cancelled once, and only while it goes on: a run that has paused waits for an answer, which may still come.
  const leaveRun = () => {
    if (run?.run_id !== undefined) leave(client, run);
    run = undefined;
  };
  call.signal?.addEventListener("abort", leaveRun, { once: true });
  let isWithCaller = false;
  try {
    const response = await send(client, name, withStream(name, input, true), call);
    if (!response.body) return;
    for await (const event of readEvents(response.body)) {
      if (run && run.run_id === undefined) run = namedBy(run, event.data);
      if (isEndOf(run, event.event, event.data)) run = undefined;
      isWithCaller = true;
      yield event;
      isWithCaller = false;
    }
  } finally {
    call.signal?.removeEventListener("abort", leaveRun);
    // A connection that broke is no wish to leave: the run can be followed again.
    if (isWithCaller) leaveRun();
  }
}

/** Cancels a run without keeping its caller waiting; `keepalive` lets the request outlive a page that is closed. */
function leave(client: ClientOptions, run: ForegroundRun): void {
  const call: Call = async (name, input) => {
    const response = await send(client, name as OperationName, input, {}, { keepalive: true });
    return response.json();
  };
  cancelRun(run, call).catch(() => undefined);
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
  more: RequestInit = {},
): Promise<Response> {
  const operation = operations[name];
  const credential = typeof token === "function" ? await token() : token;
  const url = `${baseUrl.replace(/\/$/, "")}${pathWith(operation.path, path)}${queryOf(query)}`;
  const sent = "body" in operation && body !== undefined ? encoded(operation.body, body) : undefined;
  const response = await request(url, {
    ...more,
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
