import type { JSONSchema7 } from "@ai-sdk/provider";
import type { CallToolResult, Tool as Listed } from "@modelcontextprotocol/sdk/types.js";
import * as v from "valibot";
import { canonicalJson } from "../../schemas/values/json-values.ts";
import type { GivenMedium } from "../model/given-medium.ts";
import type { McpConnection } from "./mcp-server.ts";
import { type McpSessions, requestLimit } from "./mcp-session.ts";
import { type AskingRun, resultWithMedia, type Tool } from "./tool.ts";

/** The server validates the arguments itself; here they only have to be an object. */
const AnyArguments = v.record(v.string(), v.unknown());

/** A tool of an MCP server as a tool of the engine. A call that the server reports as failed throws its text. */
function mcpTool(listed: Listed, server: McpConnection, sessions: McpSessions): Tool {
  const { name, description, title, inputSchema } = listed;
  const effect = effectOf(listed);
  return {
    name: nameFor(`${server.prefix ?? ""}${name}`),
    description: description ?? title ?? name,
    parameters: AnyArguments,
    // The protocol promises a JSON Schema of an object. A server may write its members in another order each time.
    input_schema: JSON.parse(canonicalJson(inputSchema)) as JSONSchema7,
    effect,
    ...(server.requires_confirmation?.includes(name) && { requires_confirmation: true }),
    ...(server.secrets.length > 0 && { secrets: server.secrets }),
    execute: async (args, { signal, run_id, session_id, user_id, secrets, traceparent }) => {
      const { CallToolResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
      const params = { name, arguments: args, ...(traceparent !== undefined && { _meta: { traceparent } }) };
      const result = await sessions.request({ run_id, session_id, user_id, secrets }, effect, (client) =>
        client.request({ method: "tools/call", params }, CallToolResultSchema, requestLimit(server, signal)),
      );
      const text = resultText(result);
      if (result.isError) throw new Error(text);
      const media = resultMedia(result);
      return media.length > 0 ? resultWithMedia(text, media) : text;
    },
  };
}

/** Model providers accept no other characters in a tool's name, and at most 64. */
const nameFor = (name: string): string => name.replace(/[^\w-]/g, "_").slice(0, 64);

/** @decided  A tool does harm when called twice, unless its server says otherwise. */
function effectOf({ annotations }: Listed): Tool["effect"] {
  return annotations?.readOnlyHint || annotations?.idempotentHint ? "safe" : "once";
}

/** A list that never ends is a fault of its server. No model could choose among so many tools. */
const MAX_PAGES = 20;

/** @throws Error when a tool that the agent counts on is not there, or the error that kept the server from answering */
export async function listMcpTools(
  server: McpConnection,
  sessions: McpSessions,
  asking: AskingRun,
): Promise<readonly Tool[]> {
  const listed = await listAll(server, sessions, asking);
  const missing = server.include?.filter((name) => !listed.some((tool) => tool.name === name)) ?? [];
  if (missing.length > 0) throw new Error(`the server has no tool named ${missing.join(", ")}`);
  return listed
    .filter(({ name }) => server.include?.includes(name) ?? true)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((tool) => mcpTool(tool, server, sessions));
}

async function listAll(server: McpConnection, sessions: McpSessions, asking: AskingRun): Promise<Listed[]> {
  const { ListToolsResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
  const found: Listed[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const { tools, nextCursor } = await sessions.request(asking, "safe", (client) =>
      client.request({ method: "tools/list", params }, ListToolsResultSchema, requestLimit(server)),
    );
    found.push(...tools);
    if (nextCursor === undefined) return found;
    cursor = nextCursor;
  }
  throw new Error(`the server lists more than ${MAX_PAGES} pages of tools`);
}

/** The files in a tool's answer: pictures, recordings, and resources whose bytes are in it. */
const resultMedia = ({ content }: CallToolResult): GivenMedium[] => content.flatMap(mediumOf);

function mediumOf(part: CallToolResult["content"][number]): GivenMedium[] {
  switch (part.type) {
    case "image":
    case "audio":
      return [{ mime_type: part.mimeType, bytes: Buffer.from(part.data, "base64") }];
    case "resource": {
      if (!("blob" in part.resource)) return [];
      const { uri, blob, mimeType = "application/octet-stream" } = part.resource;
      const filename = /[^/]+$/.exec(uri)?.[0];
      const bytes = Buffer.from(blob, "base64");
      return [{ mime_type: mimeType, bytes, ...(filename !== undefined && { filename }) }];
    }
    case "text":
    case "resource_link":
      return [];
  }
}

/** A tool's answer as text for the model. Parts that are not text are named. */
function resultText({ content, structuredContent }: CallToolResult): string {
  if (content.length === 0 && structuredContent !== undefined) return JSON.stringify(structuredContent);
  return content.map(partText).join("\n");
}

function partText(part: CallToolResult["content"][number]): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "resource":
      return "text" in part.resource ? part.resource.text : `[file ${part.resource.uri}]`;
    case "resource_link":
      return `[${part.name}: ${part.uri}]`;
    case "image":
    case "audio":
      return `[${part.type} of type ${part.mimeType}]`;
  }
}
