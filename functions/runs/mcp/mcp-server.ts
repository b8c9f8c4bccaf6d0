import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as v from "valibot";
import { holds } from "../../../shared/auth/scopes/held-scopes.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { isFailure, renderError } from "../../../shared/http/render-error.ts";
import { type CallAddress, watchCallCancellation } from "./cancellations.ts";
import { askPerson, elicits } from "./elicitation.ts";
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
/** How long a client may keep what it was answered, in milliseconds: what is stored, and who may read it, changes. */
const LIST_MS = 5_000;
const DISCOVERY_MS = 60_000;

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
    { name: deps.mcp.osId, version: "1.0.0" },
    {
      capabilities: {
        tools: {},
        ...((readsSessions || hasSkills) && { resources: {} }),
        ...(hasSkills && { extensions: { [SKILLS_EXTENSION]: {} } }),
      },
      cacheHints: {
        "server/discover": cached(DISCOVERY_MS),
        "tools/list": cached(LIST_MS),
        "resources/list": cached(LIST_MS),
        "resources/templates/list": cached(DISCOVERY_MS),
      },
    },
  );
  server.setRequestHandler("tools/list", async () => ({
    tools: tools.map(({ call: _call, hasFailed: _hasFailed, ...tool }) => tool) as never, // schemas of objects, as the protocol wants them
  }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const called = (among: readonly McpTool[]) => among.find(({ name }) => name === params.name);
    // Another instance may have listed it already.
    const tool = called(tools) ?? called(toolsFor(principal, deps.mcp, await deps.mcp.live.anew()));
    if (!tool)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${params.name} for you`);
    const progress = progressOf(mcpReq, deps);
    // Clients give up on a call that sends nothing for a minute.
    const startedAt = deps.clock.now();
    const working = setInterval(
      () => progress(`working for ${Math.round((deps.clock.now() - startedAt) / 1000)} s`),
      PROGRESS_EVERY_MS,
    );
    const stop = new AbortController();
    const signal = AbortSignal.any([request.signal, mcpReq.signal, stop.signal]);
    const address = connection === undefined ? undefined : { principal, connection, requestId: mcpReq.id };
    const unwatch = address && watchCallCancellation(deps, address satisfies CallAddress, () => stop.abort());
    try {
      const { waitLimits } = request;
      const traceparent = traceparentIn(mcpReq._meta) ?? request.headers.traceparent;
      const send = async (message: JSONRPCRequest) =>
        server.transport?.send(message, { relatedRequestId: mcpReq.id });
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

/** Nobody else may be shown what a credential allows. */
const cached = (ttlMs: number) => ({ ttlMs, cacheScope: "private" }) as const;

/** The methods of the extension, which the protocol's own schemas do not know. */
function serveSkills(server: Server, request: McpRequest, deps: McpDeps): void {
  const params = v.optional(v.looseObject({ cursor: text, uri: text }), {});
  server.setRequestHandler("skills/list", { params }, async ({ cursor }) =>
    listSkills(request, deps, cursor),
  );
  server.setRequestHandler("skills/get", { params }, async ({ uri = "" }) => {
    const skill = await getSkill(request, deps, uri);
    if (!skill) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no skill ${uri} for you`);
    return skill;
  });
}

/** What is no text is as what is not there. */
const text = v.fallback(v.optional(v.string()), undefined);

type Served = { readonly readsSessions: boolean; readonly hasSkills: boolean };

function serveResources(
  server: Server,
  request: McpRequest,
  deps: McpDeps,
  { readsSessions, hasSkills }: Served,
): void {
  server.setRequestHandler("resources/list", async ({ params }) => {
    const none = { resources: [] };
    const [sessions, skills] = await Promise.all([
      readsSessions ? listSessionResources(request, deps, params?.cursor) : none,
      // All further ones are found by `skills/list`.
      hasSkills && params?.cursor === undefined ? listSkills(request, deps) : undefined,
    ]);
    return { ...sessions, resources: [...asResources(skills?.skills ?? []), ...sessions.resources] };
  });
  server.setRequestHandler("resources/templates/list", async () => ({
    resourceTemplates: readsSessions ? [sessionTemplate] : [],
  }));
  server.setRequestHandler("resources/read", async ({ params }) => {
    const file = hasSkills ? await readSkillResource(request, deps, params.uri) : undefined;
    if (file) return file;
    try {
      if (!readsSessions) throw notFound("resource", params.uri);
      const read = await readSessionResource(request, deps, params.uri);
      await recordRead(request, deps, { uri: params.uri });
      return read;
    } catch (error) {
      if (error instanceof ServiceError) throw new ResourceNotFoundError(params.uri, error.message);
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
function progressOf({ _meta, notify }: ServerContext["mcpReq"], { log }: McpDeps): (message: string) => void {
  const progressToken = _meta?.progressToken;
  let progress = 0;
  return (message) => {
    if (progressToken === undefined) return;
    progress += 1;
    const params = { progressToken, progress, message };
    notify({ method: "notifications/progress", params }).catch((error) =>
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
