import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { serveOnLoopback } from "../../../local/machine/listen-on-loopback.ts";
import { HANGS_AFTER_MS } from "../hangs-after.ts";

/** A request as a platform's server sees it. */
export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** JSON, a form's fields, or bytes. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape itself
  readonly body: any;
  /** Epoch milliseconds. */
  readonly at: number;
};

export type PlatformAnswer = {
  readonly status: number;
  readonly body: unknown | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A server on a free port of this machine that answers what a platform would. */
export async function servePlatform(answer: (asked: Asked) => Promise<PlatformAnswer> | PlatformAnswer) {
  const server = createServer((request, response) => void take(request, response));
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked = {
      method: request.method ?? "GET",
      path: request.url ?? "/",
      headers: request.headers,
      body: await readBody(request.headers["content-type"] ?? "", Buffer.concat(chunks)),
      at: Date.now(),
    };
    const { status, body, headers } = await answer(asked);
    const isFile = Buffer.isBuffer(body);
    const type = isFile ? "application/octet-stream" : "application/json";
    response.writeHead(status, { "content-type": type, ...headers });
    response.end(isFile ? body : JSON.stringify(body));
  };
  const { address, stop } = await serveOnLoopback(server);
  return { url: address, stop };
}

async function readBody(type: string, bytes: Buffer): Promise<unknown> {
  if (type.startsWith("application/json")) return JSON.parse(bytes.toString("utf8"));
  if (type.startsWith("application/x-www-form-urlencoded")) {
    return Object.fromEntries(new URLSearchParams(bytes.toString("utf8")));
  }
  if (!type.startsWith("multipart/form-data")) return bytes;
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  return Object.fromEntries(form);
}

/** Looks until something is there. */
export async function until<T>(
  look: () => T | undefined | false,
  what: string,
  withinMs = HANGS_AFTER_MS,
): Promise<T> {
  for (const end = Date.now() + withinMs; ; await pause(20)) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`it did not come to it: ${what}`);
  }
}

/**
 * Delivers as platforms do: again, after a pause, until it is taken.
 *
 * @returns the answers, the last one a success
 */
export async function deliverUntilTaken(send: () => Promise<Response>, tries = 5): Promise<Response[]> {
  const answers: Response[] = [];
  for (let tryNumber = 0; tryNumber < tries; tryNumber += 1) {
    const answer = await send();
    answers.push(answer);
    if (answer.ok) return answers;
    await pause(50);
  }
  return answers;
}
