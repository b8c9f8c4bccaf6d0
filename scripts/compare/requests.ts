/** Headers that belong to the connection, or identify the single request. */
const unrecordedHeaders = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
  "x-request-id",
]);

export type Sent = {
  readonly form?: Readonly<Record<string, string>> | FormData;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as its value, a stream as its frames, everything else as text. */
  readonly body: unknown;
};

export async function request(
  url: string,
  token: string | undefined,
  method: string,
  path: string,
  { form, json, headers }: Sent = {},
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: "manual",
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(json !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(form && { body: form instanceof FormData ? form : new URLSearchParams(form) }),
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const type = response.headers.get("content-type") ?? "";
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !unrecordedHeaders.has(name))),
    body: bodyOf(await response.text(), type),
  };
}

function bodyOf(text: string, type: string): unknown {
  if (type.startsWith("text/event-stream")) return framesOf(text);
  if (!/\bjson\b/.test(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Frames without comments: comments only keep a connection alive, and their number depends on the machine. */
const framesOf = (text: string): unknown[] =>
  text
    .split("\n\n")
    .filter((frame) => frame !== "" && !frame.startsWith(":"))
    .map((frame) => Object.fromEntries(frame.split("\n").map(fieldOf)));

/** One line of a frame: a field and its value, which is JSON in `data`. */
function fieldOf(line: string): [field: string, value: unknown] {
  const [, field = "", text = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
  try {
    return [field, field === "data" ? JSON.parse(text) : text];
  } catch {
    return [field, text];
  }
}
