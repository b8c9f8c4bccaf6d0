import * as v from "valibot";
import { mayCall } from "../../../shared/auth/scopes/scopes.ts";
import { Reply } from "../../../shared/http/handler.ts";
import { MCP_PATH, MCP_RESOURCE_PATH } from "../../../shared/routes/protocols/mcp-path.ts";
import type { McpDeps, McpRequest } from "./mcp-deps.ts";
import { toolsFor } from "./tools-for.ts";

const FORBIDDEN = 403;
/** The protocol leaves the code of a refusal by its transport to servers. */
const REFUSED = -32_000;

const Call = v.looseObject({
  id: v.optional(v.union([v.string(), v.number()])),
  method: v.literal("tools/call"),
  params: v.looseObject({ name: v.string(), arguments: v.optional(v.unknown()) }),
});

/**
 * Refuses a call for which a connected app holds too little, so that the app can ask its user for more: the challenge names what it
 * holds and what the call needs. Another credential cannot be widened by asking, so its call is answered by the tool.
 *
 * @returns undefined where the call may be made, or there is no such tool
 * @source docs/interface/oauth.md 1.5; the protocol, version 2026-07-28: authorization, "Scope challenge handling"; RFC 6750, section 3.1
 */
export async function askForScopes(
  { principal, origin = "" }: Pick<McpRequest, "principal" | "origin">,
  message: unknown,
  { mcp }: Pick<McpDeps, "mcp">,
): Promise<Reply | undefined> {
  if (principal.app === undefined) return undefined;
  const call = v.safeParse(Call, message);
  if (!call.success) return undefined;
  const { id, params } = call.output;
  const all = toolsFor({ scopes: [], admin: true }, mcp, await mcp.live.kept());
  const needed = all.find(({ name }) => name === params.name)?.needs(params.arguments) ?? [];
  const missing = needed.filter(({ scope, target }) => !mayCall(principal, [scope], target));
  if (missing.length === 0) return undefined;
  const scope = [...new Set([...principal.scopes, ...missing.map((one) => one.scope)])].join(" ");
  const address = mcp.publicUrl ?? origin;
  const challenge = [
    'error="insufficient_scope"',
    `scope="${scope}"`,
    `resource_metadata="${address}${MCP_RESOURCE_PATH}${MCP_PATH}"`,
  ];
  const text = `The app may not call ${params.name}: ask for the scopes ${scope}`;
  return new Reply(
    FORBIDDEN,
    { jsonrpc: "2.0", id: id ?? null, error: { code: REFUSED, message: text } },
    { "www-authenticate": `Bearer ${challenge.join(", ")}` },
  );
}
