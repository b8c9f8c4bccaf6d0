import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import * as v from "valibot";
import { ServiceError } from "../../../shared/errors.ts";
import { EventStream, Reply } from "../../../shared/http/handler.ts";
import { MCP_PATH } from "../../../shared/routes/protocols/mcp-path.ts";
import { parsedJson } from "../../../shared/schemas/values/json-values.ts";
import { recordCallCancellation } from "./cancellations.ts";
import { answerIn, elicits, newConnection, recordAnswer } from "./elicitation.ts";
import type { McpDeps, McpRequest } from "./mcp-deps.ts";
import { mcpServer } from "./mcp-server.ts";
import { readsSkills } from "./skill-resources.ts";
import { askForScopes } from "./step-up.ts";
import type { McpTool } from "./tool.ts";
import { toolsFor } from "./tools-for.ts";

const ACCEPTED = 202;
const FORBIDDEN = 403;
const ANYTHING = "*/*";
const CALL = "tools/call";
const LISTEN = "subscriptions/listen";
const SESSION_HEADER = "mcp-session-id";
const Method = v.looseObject({ method: v.string() });
const Cancelled = v.looseObject({
  method: v.literal("notifications/cancelled"),
  params: v.looseObject({ requestId: v.union([v.string(), v.number()]) }),
});

/**
 * A message to the MCP server, by streamable HTTP. A call of a tool is answered as a stream, since it may last; everything
 * else as JSON.
 *
 * No state is kept. Since version 2026-07-28 each request says who sends it and in which version. Before, `initialize` gives the
 * client an id for its connection, which is not stored: a call is cancelled in a request of its own, and the ids of calls begin
 * anew with each connection. What a person answers to a question comes so, too.
 *
 * @source the protocol, versions 2025-11-25 and 2026-07-28: transports, cancellation
 */
export async function callMcp(request: McpRequest, deps: McpDeps): Promise<Reply | EventStream> {
  const tools = toolsFor(request.principal, deps.mcp, await deps.mcp.live.kept());
  if (tools.length === 0 && !readsSkills(request)) {
    throw new ServiceError("UNAUTHORIZED", "Insufficient permissions: there is no tool for your scopes");
  }
  const refusal = refuseOrigin(request, deps);
  if (refusal) return refusal;
  const { headers, body, signal, origin = "http://localhost" } = request;
  const message = parsedJson(body);
  const incoming = new Request(`${origin}${MCP_PATH}`, {
    method: "POST",
    headers: sent(headers),
    body,
    signal,
  });
  const challenge = await askForScopes(request, message, deps);
  if (challenge) return challenge;
  const call: Incoming = { request, tools, message, incoming, method: methodOf(message) };
  return (await isLegacyRequest(incoming, message)) ? callInConnection(call, deps) : callByItself(call, deps);
}

type Incoming = {
  readonly request: McpRequest;
  readonly tools: readonly McpTool[];
  /** As it was parsed; undefined where it is no JSON. */
  readonly message: unknown;
  readonly incoming: Request;
  readonly method: string | undefined;
};

const methodOf = (message: unknown): string | undefined =>
  v.is(Method, message) ? message.method : undefined;

/** A request that says by itself who sends it: version 2026-07-28 and later. */
async function callByItself(
  { request, tools, message, incoming, method }: Incoming,
  deps: McpDeps,
): Promise<Reply | EventStream> {
  const handler = createMcpHandler(() => mcpServer(request, deps, tools, undefined), {
    legacy: "reject",
    responseMode: method === CALL ? "sse" : "auto",
    keepAliveMs: 0,
  });
  const response = await handler.fetch(incoming, { parsedBody: message });
  // An open stream is a function that is paid for: a subscription is acknowledged, and ended.
  if (method === LISTEN) await handler.close();
  return answered(response, () => handler.close());
}

/** A request of a client that has introduced itself by `initialize`: version 2025-11-25 and earlier. */
async function callInConnection(
  { request, tools, message, incoming, method }: Incoming,
  deps: McpDeps,
): Promise<Reply | EventStream> {
  const { headers, principal } = request;
  const connection = headers[SESSION_HEADER];
  if (connection !== undefined && v.is(Cancelled, message)) {
    await recordCallCancellation(deps, { principal, connection, requestId: message.params.requestId });
  }
  const answer = answerIn(message);
  if (answer) {
    if (elicits(connection)) await recordAnswer(deps, { principal, connection }, answer);
    return new Reply(ACCEPTED, undefined);
  }
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: method !== CALL,
    keepAliveMs: 0,
  });
  const server = mcpServer(request, deps, tools, connection);
  await server.connect(transport);
  const response = await transport.handleRequest(incoming);
  const given = method === "initialize" && response.ok ? { [SESSION_HEADER]: newConnection(message) } : {};
  return answered(response, () => server.close(), given);
}

/** @param end  called when everything was sent */
async function answered(
  response: Response,
  end: () => Promise<void>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply | EventStream> {
  if (response.headers.get("content-type")?.includes("text/event-stream"))
    return new EventStream(chunksOf(response, end), headers);
  const text = await response.text();
  await end();
  return new Reply(response.status, text === "" ? undefined : parsedJson(text), headers);
}

/** Another site's page could make a browser on the user's machine call. @source the protocol, transports, "Security" */
function refuseOrigin({ headers, origin }: McpRequest, { mcp }: McpDeps): Reply | undefined {
  const { origin: from } = headers;
  if (from === undefined || from === origin || from === mcp.publicUrl || mcp.origins.has(from))
    return undefined;
  const error = { code: -32_000, message: `the origin ${from} may not call this server` };
  return new Reply(FORBIDDEN, { jsonrpc: "2.0", id: null, error });
}

/** What the protocol looks at, each as it was sent. */
const READ = ["content-type", "mcp-protocol-version", "mcp-method", "mcp-name"] as const;

/** A client that takes anything takes both types of an answer. */
function sent(headers: McpRequest["headers"]): Record<string, string> {
  const { accept = ANYTHING } = headers;
  const read = READ.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    accept: accept.includes(ANYTHING) ? "application/json, text/event-stream" : accept,
    ...Object.fromEntries(read),
  };
}

async function* chunksOf(response: Response, end: () => Promise<void>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    if (!response.body) return;
    for await (const chunk of response.body) yield decoder.decode(chunk, { stream: true });
  } finally {
    await end();
  }
}
