import type { JSONSchema7 } from "@ai-sdk/provider";
import type { Tool as Listed } from "@modelcontextprotocol/sdk/types.js";
import * as v from "valibot";
import { resultWithMedia } from "../tool/result-with-media.ts";
import type { Tool } from "../tool/tool.ts";
import type { McpConnection } from "./mcp-server.ts";
import type { McpSession } from "./mcp-session.ts";
import { requestLimit } from "./request-limit.ts";
import { resultMedia } from "./result-media.ts";
import { resultText } from "./result-text.ts";

/** The server validates the arguments itself; here they only have to be an object. */
const AnyArguments = v.record(v.string(), v.unknown());

/** A tool of an MCP server as a tool of the engine. A call that the server reports as failed throws its text. */
export function mcpTool(listed: Listed, server: McpConnection, session: McpSession): Tool {
  const { name, description, title, inputSchema } = listed;
  const effect = effectOf(listed);
  return {
    name: nameFor(`${server.prefix ?? ""}${name}`),
    description: description ?? title ?? name,
    parameters: AnyArguments,
    input_schema: inputSchema as JSONSchema7, // the protocol promises a JSON Schema of an object
    effect,
    ...(server.requires_confirmation?.includes(name) && { requires_confirmation: true }),
    ...(server.secrets.length > 0 && { secrets: server.secrets }),
    execute: async (args, { signal, secrets }) => {
      const { CallToolResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
      const params = { name, arguments: args };
      const result = await session.request(secrets, effect, (client) =>
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
