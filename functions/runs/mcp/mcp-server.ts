import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from "@modelcontextprotocol/server";
import * as v from "valibot";
import { holds } from "../../../shared/auth/scopes/held-scopes.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { callTool } from "./call-tool.ts";
import { MCP_SERVER_VERSION } from "./get-server-card.ts";
import { TASKS_EXTENSION } from "./input/client-capabilities.ts";
import type { McpDeps, McpRequest } from "./mcp-deps.ts";
import { recordRead } from "./record-read.ts";
import { refusedInProtocol } from "./refused-in-protocol.ts";
import { listSessionResources, readSessionResource } from "./session-resources.ts";
import {
  asResources,
  getSkill,
  listSkills,
  readSkillResource,
  readsSkills,
  SKILLS_EXTENSION,
} from "./skill-resources.ts";
import { serveTasks } from "./tasks.ts";
import type { McpTool } from "./tool.ts";

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
    { name: deps.mcp.osId, version: MCP_SERVER_VERSION },
    {
      capabilities: {
        tools: {},
        ...((readsSessions || hasSkills) && { resources: {} }),
        extensions: { [TASKS_EXTENSION]: {}, ...(hasSkills && { [SKILLS_EXTENSION]: {} }) },
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
    tools: tools.map(({ call: _call, hasFailed: _hasFailed, runIn: _runIn, ...tool }) => tool) as never, // schemas of objects, as the protocol wants them
  }));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) =>
    callTool({ request, connection, server }, deps, tools, params, mcpReq),
  );
  serveTasks(server, request, deps);
  if (hasSkills) serveSkills(server, request, deps);
  if (readsSessions || hasSkills) serveResources(server, request, deps, { readsSessions, hasSkills });
  return server;
}

/** What a credential allows is for its holder alone. */
const cached = (ttlMs: number) => ({ ttlMs, cacheScope: "private" }) as const;

/** The methods of the extension, which the protocol's own schemas do not know. */
function serveSkills(server: Server, request: McpRequest, deps: McpDeps): void {
  const params = v.optional(v.looseObject({ cursor: text, uri: text }), {});
  server.setRequestHandler(
    "skills/list",
    { params },
    refusedInProtocol(deps, async ({ cursor }) => listSkills(request, deps, cursor)),
  );
  server.setRequestHandler(
    "skills/get",
    { params },
    refusedInProtocol(deps, async ({ uri = "" }) => {
      const skill = await getSkill(request, deps, uri);
      if (!skill)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no skill ${uri} for you`);
      return skill;
    }),
  );
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
  server.setRequestHandler(
    "resources/list",
    refusedInProtocol(deps, async ({ params }) => {
      const none = { resources: [] };
      const [sessions, skills] = await Promise.all([
        readsSessions ? listSessionResources(request, deps, params?.cursor) : none,
        // All further ones are found by `skills/list`.
        hasSkills && params?.cursor === undefined ? listSkills(request, deps) : undefined,
      ]);
      return { ...sessions, resources: [...asResources(skills?.skills ?? []), ...sessions.resources] };
    }),
  );
  server.setRequestHandler("resources/templates/list", async () => ({
    resourceTemplates: readsSessions ? [sessionTemplate] : [],
  }));
  server.setRequestHandler(
    "resources/read",
    refusedInProtocol(deps, async ({ params }) => {
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
    }),
  );
}

const sessionTemplate = {
  uriTemplate: "session://{session_id}",
  name: "session",
  description: "The conversation of one of your sessions",
  mimeType: "application/json",
};
