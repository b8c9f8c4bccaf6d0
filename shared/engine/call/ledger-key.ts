import { createHash } from "node:crypto";
import { canonicalJson } from "../../domain/canonical-json.ts";
import type { Tool } from "../tool/tool.ts";
import { toolParameters } from "../tool/tool-parameters.ts";

/**
 * The key of a tool call in its run's ledger: its id, and a digest of tool, arguments and the schema that parses them.
 * A call that repeats an id but would do something else is another call.
 */
export function ledgerKey(callId: string, tool: Tool, args: Record<string, unknown>): string {
  const content = canonicalJson({ tool: tool.name, args, schema: toolParameters(tool) });
  return `${callId}#${createHash("sha256").update(content).digest("base64url")}`;
}
