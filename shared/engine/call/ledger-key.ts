import { createHash } from "node:crypto";
import { canonicalJson } from "../../domain/canonical-json.ts";
import type { Tool } from "../tool/tool.ts";
import { toolParameters } from "../tool/tool-parameters.ts";

/**
 * Names a tool call in its run's ledger: its id, and a digest of tool, arguments and the schema they are read by. A
 * call that comes again under its id but would do something else is another call.
 */
export function ledgerKey(callId: string, tool: Tool, args: Record<string, unknown>): string {
  const what = canonicalJson({ tool: tool.name, args, schema: toolParameters(tool) });
  return `${callId}#${createHash("sha256").update(what).digest("base64url")}`;
}
