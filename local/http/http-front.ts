import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { serveOnLoopback } from "../machine/listen-on-loopback.ts";
import { StartupError } from "../startup-error.ts";
import type { Behaviour } from "../template/edge.ts";
import type { Door } from "./api-door.ts";
import { sendGatewayMessage } from "./gateway-answer.ts";
import { type FrontRequest, frontRequest } from "./gateway-event.ts";

export type Front = { readonly url: string; readonly stop: () => Promise<void> };

/** @source HTTP API quotas: 10 MB of payload, 10 240 bytes of request line and headers */
const bodyLimitBytes = 10 * 1024 * 1024;
const maxHeaderSize = 10_240;

/**
 * Listens on loopback. Requests that come before their door is ready wait for it.
 *
 * @param port   0 for any free one
 * @param guestToken  makes the credential of requests that bring none
 * @throws StartupError when the port is taken
 */
export async function startFront(
  port: number,
  doorFor: (path: string) => Promise<Door>,
  guestToken?: () => string,
): Promise<Front> {
  const server = createServer({ maxHeaderSize, keepAliveTimeout: 60_000 }, async (incoming, response) => {
    try {
      const body = await bodyOf(incoming);
      if (!body) return sendGatewayMessage(response, 413, "Request Entity Too Large");
      const request = withToken(frontRequest(incoming, body, randomUUID()), guestToken);
      const door = await doorFor(request.rawPath);
      await door(request, response);
    } catch {
      sendGatewayMessage(response, 500, "Internal Server Error");
    }
  });
  // A run may stream or wait for longer than Node's own limits for a request.
  server.requestTimeout = 0;
  server.headersTimeout = 20_000;
  const { address, stop } = await serveOnLoopback(server, port).catch((error: unknown) => {
    throw explained(error, port);
  });
  return { url: address, stop };
}

/**
 * Open access is a thing of this front alone: the platform behind it sees a credential like any other, and has no
 * switch that could be left on somewhere else.
 */
function withToken(request: FrontRequest, guestToken: (() => string) | undefined): FrontRequest {
  const brought = request.rawHeaders.some((name, at) => at % 2 === 0 && /^authorization$/i.test(name));
  if (!guestToken || brought) return request;
  return { ...request, rawHeaders: [...request.rawHeaders, "authorization", `Bearer ${guestToken()}`] };
}

/** The first behaviour whose pattern fits the path. `*` stands for any characters, `?` for one. */
export function doorByPath(behaviours: readonly Behaviour[], doorOf: (target: Behaviour["target"]) => Door) {
  const doors = behaviours.map(({ pathPattern, target }) => ({
    fits: patternTest(pathPattern),
    door: doorOf(target),
  }));
  return (path: string): Door => {
    const found = doors.find(({ fits }) => fits.test(path));
    if (!found) throw new Error(`no behaviour for ${path}`);
    return found.door;
  };
}

function patternTest(pattern: string): RegExp {
  const escaped = pattern.replace(/^\//, "").replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^/${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s");
}

/** The whole body; undefined when it is larger than the gateway takes. */
async function bodyOf(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size <= bodyLimitBytes) chunks.push(chunk);
  }
  return size > bodyLimitBytes ? undefined : Buffer.concat(chunks);
}

/** What a port that is taken means to a user. */
function explained(error: unknown, port: number): unknown {
  const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  if (!taken) return error;
  return new StartupError(
    `Port ${port} is taken. Stop what listens there, or choose another: PORT=${port + 1} npm start`,
  );
}
