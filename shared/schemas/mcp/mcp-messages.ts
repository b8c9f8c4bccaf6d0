import * as v from "valibot";
import { describedAs, meaning } from "../values/described-as.ts";

const id = v.union([v.string(), v.pipe(v.number(), v.integer())]);

/** A message of JSON-RPC to the MCP server: a call, or a notification, which has no id. It has no other members: those are refused. */
export const McpMessage = v.strictObject({
  jsonrpc: meaning(v.literal("2.0"), "The version of JSON-RPC"),
  id: meaning(v.optional(id), "Names the call in its answer; none for a notification"),
  method: meaning(v.string(), "Such as tools/list or tools/call"),
  params: meaning(v.optional(v.looseObject({})), "What the method takes"),
});
export type McpMessage = v.InferOutput<typeof McpMessage>;

/** The answer to a call. */
export const McpAnswer = v.looseObject({
  jsonrpc: v.literal("2.0"),
  id: v.optional(v.nullable(id)),
  result: v.optional(v.looseObject({})),
  error: v.optional(v.looseObject({ code: v.number(), message: v.string() })),
});

/** @source RFC 9728, section 2 */
export const ProtectedResource = v.object({
  resource: v.string(),
  /** Absent where no issuer has an address. */
  authorization_servers: v.optional(v.array(v.string())),
  // Without the constant, which a generator of TypeScript compares with the list.
  bearer_methods_supported: describedAs(v.array(v.literal("header")), {
    type: "array",
    items: { type: "string" },
  }),
  scopes_supported: v.array(v.string()),
  resource_name: v.string(),
});

/** What an MCP server is called and where it is. @source the draft SEP-2127 */
export type McpServerCard = {
  readonly $schema: string;
  /** The host, the widest part first, and the name of the instance. */
  readonly name: string;
  readonly title: string;
  /** 100 characters at most. */
  readonly description: string;
  readonly version: string;
  readonly remotes: readonly { readonly type: "streamable-http"; readonly url: string }[];
};
