import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { serveOnLoopback } from "../machine/listen-on-loopback.ts";
import { startCommand } from "../machine/start-command.ts";
import { StartupError } from "../startup-error.ts";
import type { Behaviour } from "../template/edge.ts";
import type { Sender } from "./browser-guard.ts";
import { type ReceivedRequest, receivedRequest } from "./gateway-event.ts";
import { sendGatewayMessage } from "./gateway-response.ts";
import type { RequestHandler } from "./http-api.ts";

export type HttpServer = { readonly url: string; readonly stop: () => Promise<void> };

/** @source HTTP API quotas: 10 MB of payload, 10 240 bytes of request line and headers */
const bodyLimitBytes = 10 * 1024 * 1024;
const maxHeaderSize = 10_240;

/**
 * Starts an HTTP server on loopback. Requests that arrive before their handler is ready wait for it.
 *
 * @param port        0: any free port
 * @param handlerFor  returns the handler for a request
 * @param access      judges requests of browsers; absent for servers that no browser knows of
 * @throws StartupError when the port is taken
 */
export async function startHttpServer(
  port: number,
  handlerFor: (request: ReceivedRequest) => Promise<RequestHandler>,
  access?: Access,
): Promise<HttpServer> {
  const server = createServer({ maxHeaderSize, keepAliveTimeout: 60_000 }, async (incoming, response) => {
    try {
      const body = await bodyOf(incoming);
      const received = receivedRequest(incoming, body ?? Buffer.alloc(0), randomUUID());
      const sender = access?.judge(received) ?? "listed";
      if (typeof sender === "object") return refuse(response, sender.refused);
      const token = sender === "own" ? access?.guestToken : undefined;
      const request = withToken({ ...received, ...(!body && { tooLarge: true }) }, token);
      const handle = await handlerFor(request);
      await handle(request, response);
    } catch {
      sendGatewayMessage(response, 500, "Internal Server Error");
    }
  });
  // A run may stream or wait for longer than Node's own limits for a request.
  server.requestTimeout = 0;
  server.headersTimeout = 20_000;
  const { address, stop } = await serveOnLoopback(server, port).catch((error: unknown) => {
    throw startupErrorOf(error, port);
  });
  return { url: address, stop };
}

/** Who is served, and as whom. */
export type Access = {
  readonly judge: (request: ReceivedRequest) => Sender;
  /** Creates the credential for requests without one. */
  readonly guestToken: (() => string) | undefined;
};

const refuse = (response: ServerResponse, detail: string): void =>
  void response
    .writeHead(403, { "content-type": "application/json" })
    .end(JSON.stringify({ detail, error_code: "FORBIDDEN" }));

/**
 * Adds the guest credential. Only this server knows open access: the functions see an ordinary credential, so the
 * deployed code has no switch that could be left on.
 */
function withToken(request: ReceivedRequest, guestToken: (() => string) | undefined): ReceivedRequest {
  const hasToken = request.rawHeaders.some((name, at) => at % 2 === 0 && /^authorization$/i.test(name));
  if (!guestToken || hasToken) return request;
  return { ...request, rawHeaders: [...request.rawHeaders, "authorization", `Bearer ${guestToken()}`] };
}

/** Finds the handler of the first behaviour whose pattern matches the path. `*` matches any characters, `?` one. */
export function handlerByPath(
  behaviours: readonly Behaviour[],
  handlerOf: (behaviour: Behaviour) => RequestHandler,
) {
  const handlers = behaviours.map((behaviour) => ({
    pattern: patternTest(behaviour.pathPattern),
    handle: handlerOf(behaviour),
  }));
  return (path: string): RequestHandler => {
    const found = handlers.find(({ pattern }) => pattern.test(path));
    if (!found) throw new Error(`no behaviour for ${path}`);
    return found.handle;
  };
}

function patternTest(pattern: string): RegExp {
  const escaped = pattern.replace(/^\//, "").replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^/${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s");
}

/** The whole body; undefined when it is larger than the limit of the gateway. */
async function bodyOf(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size <= bodyLimitBytes) chunks.push(chunk);
  }
  return size > bodyLimitBytes ? undefined : Buffer.concat(chunks);
}

/** Turns a port conflict into a message with a remedy; returns any other error unchanged. */
function startupErrorOf(error: unknown, port: number): unknown {
  const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  if (!taken) return error;
  return new StartupError(
    `Port ${port} is taken. Stop the program that listens on it, or choose another port: PORT=${port + 1} ${startCommand()}`,
  );
}
