import { operations } from "./operations.ts";

export type OperationName = keyof typeof operations;
export type Fields = Readonly<Record<string, unknown>>;
/** What a method takes, before the types of the single operations. */
export type Input = { readonly path?: Fields; readonly query?: Fields; readonly body?: unknown };

type Operation = {
  readonly method: string;
  readonly path: string;
  readonly encoding: "json" | "form" | undefined;
  readonly streams: boolean;
};

/** How an operation travels. */
export function operationOf(name: OperationName): Operation {
  const [method = "", path = "", encoding, stream] = operations[name].split(" ");
  return {
    method,
    path,
    encoding: encoding === "json" || encoding === "form" ? encoding : undefined,
    streams: stream === "stream",
  };
}

/** Whether the frames of an operation are events of a run. The other streams are those of agent-to-agent calls. */
export const streamsRun = (name: OperationName): boolean => {
  const { streams, encoding } = operationOf(name);
  return streams && encoding === "form";
};

const startsRunPattern = /^(create|continue)(Agent|Team|Workflow)Run$/;

export type Kind = "Agent" | "Team" | "Workflow";
export type RunVerb = "create" | "continue";

/** Of an operation that starts or continues a run: which of them, and of what. */
export function startOf(name: string): { readonly verb: RunVerb; readonly kind: Kind } | undefined {
  const [, verb, kind] = startsRunPattern.exec(name) ?? [];
  // Both by the pattern.
  return kind === undefined ? undefined : { verb: verb as RunVerb, kind: kind as Kind };
}

export const isInBackground = ({ body }: Input): boolean => ((body ?? {}) as Fields).background === true;

/** Sets `stream`, because the server's default for operations that can stream is to stream. */
export function withStream(name: OperationName, input: Input, stream: boolean): Input {
  if (!streamsRun(name)) return input;
  return { ...input, body: { ...(input.body as Fields | undefined), stream } };
}

/** The address of a request, and its body as it is sent. */
export function encodedRequest(baseUrl: string, name: OperationName, { path = {}, query = {}, body }: Input) {
  const { encoding, path: template } = operationOf(name);
  return {
    url: `${baseUrl.replace(/\/$/, "")}${pathWith(template, path)}${queryOf(query)}`,
    body: encoding && body !== undefined ? encoded(encoding, body) : undefined,
  };
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
