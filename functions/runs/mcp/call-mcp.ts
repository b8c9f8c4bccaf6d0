import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import * as v from "valibot";
import { ServiceError } from "../../../shared/errors.ts";
import { EventStream, Reply } from "../../../shared/http/handler.ts";
import { MCP_PATH } from "../../../shared/routes/protocols/mcp-path.ts";
import { parsedJson } from "../../../shared/schemas/values/json-values.ts";
import { recordCallCancellation } from "./cancellations.ts";
import { answerIn, elicits, newConnection, recordAnswer } from "./elicitation.ts";
import type { McpDeps, McpRequest } from "./mcp-deps.ts";
import { mcpServer } from "./mcp-server.ts";
import { toolsFor } from "./tools-for.ts";

const ACCEPTED = 202;
const FORBIDDEN = 403;
const ANYTHING = "*/*";
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
 * No state is kept. `initialize` gives the client an id for its connection, which is not stored: a call is cancelled in a
 * request of its own, and the ids of calls begin anew with each connection. What a person answers to a question comes so, too.
 *
 * @source the protocol, version 2025-11-25: transports, cancellation
 */
export async function callMcp(request: McpRequest, deps: McpDeps): Promise<Reply | EventStream> {
  const tools = toolsFor(request.principal, deps.mcp, await deps.mcp.live.kept());
  if (tools.length === 0) {
    throw new ServiceError("UNAUTHORIZED", "Insufficient permissions: there is no tool for your scopes");
  }
  const refusal = refuseOrigin(request, deps);
  if (refusal) return refusal;
  const { headers, body, principal, origin = "http://localhost" } = request;
  const message = parsedJson(body);
  const connection = headers[SESSION_HEADER];
  if (connection !== undefined && v.is(Cancelled, message)) {
    await recordCallCancellation(deps, { principal, connection, requestId: message.params.requestId });
  }
  const answer = answerIn(message);
  if (answer) {
    if (elicits(connection)) await recordAnswer(deps, { principal, connection }, answer);
    return new Reply(ACCEPTED, undefined);
  }
  const method = v.is(Method, message) ? message.method : undefined;
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: method !== "tools/call",
    keepAliveMs: 0,
  });
  const server = mcpServer(request, deps, tools, connection);
  await server.connect(transport);
  const init = { method: "POST", headers: sent(headers), body };
  const response = await transport.handleRequest(new Request(`${origin}${MCP_PATH}`, init));
  const given = method === "initialize" && response.ok ? { [SESSION_HEADER]: newConnection(message) } : {};
  if (!response.headers.get("content-type")?.includes("text/event-stream")) {
    const text = await response.text();
    await server.close();
    return new Reply(response.status, text === "" ? undefined : parsedJson(text), given);
  }
  return new EventStream(
    chunksOf(response, () => server.close()),
    given,
  );
}

/** Another site's page could make a browser on the user's machine call. @source the protocol, transports, "Security" */
function refuseOrigin({ headers, origin }: McpRequest, { mcp }: McpDeps): Reply | undefined {
  const { origin: from } = headers;
  if (from === undefined || from === origin || from === mcp.publicUrl || mcp.origins.has(from))
    return undefined;
  const error = { code: -32_000, message: `the origin ${from} may not call this server` };
  return new Reply(FORBIDDEN, { jsonrpc: "2.0", id: null, error });
}

/** What the transport looks at. A client that takes anything takes both of its types. */
const sent = ({
  accept = ANYTHING,
  "content-type": type,
  "mcp-protocol-version": version,
}: McpRequest["headers"]) => ({
  accept: accept.includes(ANYTHING) ? "application/json, text/event-stream" : accept,
  ...(type !== undefined && { "content-type": type }),
  ...(version !== undefined && { "mcp-protocol-version": version }),
});

async function* chunksOf(response: Response, end: () => Promise<void>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    if (!response.body) return;
    for await (const chunk of response.body) yield decoder.decode(chunk, { stream: true });
  } finally {
    await end();
  }
}
