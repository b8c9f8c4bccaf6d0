import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  type JSONRPCRequest,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";
import { holds } from "../../../shared/auth/scopes/held-scopes.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { isFailure, renderError } from "../../../shared/http/render-error.ts";
import { type CallAddress, watchCallCancellation } from "./cancellations.ts";
import { askPerson, elicits } from "./elicitation.ts";
import { MCP_SERVER_VERSION } from "./get-server-card.ts";
import type { McpDeps, McpRequest } from "./mcp-deps.ts";
import { idsIn, recordRead } from "./record-read.ts";
import { listSessionResources, readSessionResource } from "./session-resources.ts";
import {
  asResources,
  getSkill,
  listSkills,
  readSkillResource,
  readsSkills,
  SKILLS_EXTENSION,
} from "./skill-resources.ts";
import type { McpTool } from "./tool.ts";
import { toolsFor } from "./tools-for.ts";

const PROGRESS_EVERY_MS = 5_000;
/** No code of the protocol's own says it; clients know this one. */
const RESOURCE_NOT_FOUND = -32_002;

/**
 * The server for one request. Nothing outlives the request, so any instance answers the next one.
 *
 * @param tools       those of the caller
 * @param connection  id of the client's connection; undefined where it sends none
 */
export function mcpServer(
  request: McpRequest,
  deps: McpDeps,
  tools: readonly McpTool[],
  connection: string | undefined,
): Server {
  const { principal } = request;
  const readsSessions = holds(principal, "sessions:read");
  const hasSkills = readsSkills(request);
  const server = new Server(
    { name: deps.mcp.osId, version: MCP_SERVER_VERSION },
    {
      capabilities: {
        tools: {},
        ...((readsSessions || hasSkills) && { resources: {} }),
        ...(hasSkills && { extensions: { [SKILLS_EXTENSION]: {} } }),
      },
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: tools.map(({ call: _call, hasFailed: _hasFailed, ...tool }) => tool) as never, // schemas of objects, as the protocol wants them
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const called = (among: readonly McpTool[]) => among.find(({ name }) => name === params.name);
    // Another instance may have listed it already.
    const tool = called(tools) ?? called(toolsFor(principal, deps.mcp, await deps.mcp.live.anew()));
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${params.name} for you`);
    const progress = progressOf(params._meta?.progressToken, extra, deps);
    // Clients give up on a call that sends nothing for a minute.
    const startedAt = deps.clock.now();
    const working = setInterval(
      () => progress(`working for ${Math.round((deps.clock.now() - startedAt) / 1000)} s`),
      PROGRESS_EVERY_MS,
    );
    const stop = new AbortController();
    const signal = AbortSignal.any([request.signal, extra.signal, stop.signal]);
    const address =
      connection === undefined ? undefined : { principal, connection, requestId: extra.requestId };
    const unwatch = address && watchCallCancellation(deps, address satisfies CallAddress, () => stop.abort());
    try {
      const { waitLimits } = request;
      const traceparent = traceparentIn(params._meta) ?? request.headers.traceparent;
      const send = async (message: JSONRPCRequest) =>
        server.transport?.send(message, { relatedRequestId: extra.requestId });
      const confirm = confirmerOf(request, deps, connection, { send, signal });
      const call = { principal, signal, progress, confirm, traceparent, ...(waitLimits && { waitLimits }) };
      const result = await tool.call(params.arguments, call, deps);
      await recordRead(request, deps, { tool: tool.name, ...idsIn(params.arguments) });
      return {
        content: [{ type: "text", text: JSON.stringify(result) }],
        structuredContent: { ...result },
        ...(tool.hasFailed(result) && { isError: true }),
      };
    } catch (error) {
      return asToolError(error, deps);
    } finally {
      clearInterval(working);
      unwatch?.();
    }
  });
  if (hasSkills) serveSkills(server, request, deps);
  if (readsSessions || hasSkills) serveResources(server, request, deps, { readsSessions, hasSkills });
  return server;
}

/** The methods of the extension, which the protocol's own schemas do not know. */
function serveSkills(server: Server, request: McpRequest, deps: McpDeps): void {
  server.fallbackRequestHandler = async ({ method, params = {} }) => {
    if (method === "skills/list") return listSkills(request, deps, textIn(params.cursor));
    if (method !== "skills/get") throw new McpError(ErrorCode.MethodNotFound, `there is no method ${method}`);
    const uri = textIn(params.uri) ?? "";
    const skill = await getSkill(request, deps, uri);
    if (!skill) throw new McpError(ErrorCode.InvalidParams, `there is no skill ${uri} for you`);
    return skill;
  };
}

const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

type Served = { readonly readsSessions: boolean; readonly hasSkills: boolean };

function serveResources(
  server: Server,
  request: McpRequest,
  deps: McpDeps,
  { readsSessions, hasSkills }: Served,
): void {
  server.setRequestHandler(ListResourcesRequestSchema, async ({ params }) => {
    const none = { resources: [] };
    const [sessions, skills] = await Promise.all([
      readsSessions ? listSessionResources(request, deps, params?.cursor) : none,
      // All further ones are found by `skills/list`.
      hasSkills && params?.cursor === undefined ? listSkills(request, deps) : undefined,
    ]);
    return { ...sessions, resources: [...asResources(skills?.skills ?? []), ...sessions.resources] };
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
    resourceTemplates: readsSessions ? [sessionTemplate] : [],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
    const file = hasSkills ? await readSkillResource(request, deps, params.uri) : undefined;
    if (file) return file;
    try {
      if (!readsSessions) throw notFound("resource", params.uri);
      const read = await readSessionResource(request, deps, params.uri);
      await recordRead(request, deps, { uri: params.uri });
      return read;
    } catch (error) {
      if (error instanceof ServiceError)
        throw new McpError(RESOURCE_NOT_FOUND, error.message, { uri: params.uri });
      throw error;
    }
  });
}

const sessionTemplate = {
  uriTemplate: "session://{session_id}",
  name: "session",
  description: "The conversation of one of your sessions",
  mimeType: "application/json",
};

/** Asks the user behind the client, where that can be: a buffered answer, which has one limit, reaches the client at its end. */
function confirmerOf(
  { principal, waitLimits }: McpRequest,
  deps: McpDeps,
  connection: string | undefined,
  {
    send,
    signal,
  }: { readonly send: (message: JSONRPCRequest) => Promise<void>; readonly signal: AbortSignal },
): ((question: string) => Promise<boolean>) | undefined {
  const isBuffered = waitLimits !== undefined && waitLimits.stream === waitLimits.answer;
  if (!elicits(connection) || isBuffered) return undefined;
  return (question) => askPerson(deps, { principal, connection }, send, question, signal);
}

/** What the call itself names counts before the header: a connection may serve calls of several traces. */
const traceparentIn = (meta: Readonly<Record<string, unknown>> = {}): string | undefined =>
  typeof meta.traceparent === "string" ? meta.traceparent : undefined;

/** Sends what a call is doing, where the client has asked for it. */
function progressOf(
  progressToken: string | number | undefined,
  { sendNotification }: RequestHandlerExtra<ServerRequest, ServerNotification>,
  { log }: McpDeps,
): (message: string) => void {
  let progress = 0;
  return (message) => {
    if (progressToken === undefined) return;
    progress += 1;
    const params = { progressToken, progress, message };
    sendNotification({ method: "notifications/progress", params }).catch((error) =>
      log.warn("progress of a call could not be sent", { error: String(error) }),
    );
  };
}

/** A refusal that the model reads: the same code and text as on the other routes. */
function asToolError(error: unknown, { log }: McpDeps) {
  if (isFailure(error)) log.error("a tool of the MCP server failed", { error });
  const { body } = renderError(error);
  return { content: [{ type: "text" as const, text: String(body) }], isError: true };
}
