import { createHash } from "node:crypto";
import { notedOwner, noteRecorded } from "../../../shared/runtime/audit-scope.ts";
import type { McpDeps, McpRequest } from "./mcp-deps.ts";

/** What is read again and again is recorded once in this time. */
const WINDOW_MS = 600_000;

/**
 * Records that an admin has read what belongs to another user, before it is answered. A message to the MCP server is one operation
 * for the pipeline, whatever it asks for, so this says what was read.
 *
 * @param what  the tool or the method, and the ids that it was called with
 */
export async function recordRead(
  { principal }: Pick<McpRequest, "principal">,
  { mcp }: Pick<McpDeps, "mcp">,
  what: Readonly<Record<string, string>>,
): Promise<void> {
  const owner = notedOwner();
  if (!principal.admin || owner === undefined || owner === null || owner === principal.user_id) return;
  const named = JSON.stringify([principal.user_id, what, owner]);
  const name = createHash("sha256").update(named).digest("hex").slice(0, 32);
  await mcp.recordAudit({
    target: what,
    on_behalf_of: owner,
    outcome: "read",
    once: { name, window_ms: WINDOW_MS },
  });
  noteRecorded();
}

/** Of the arguments of a tool those that name something. */
export const idsIn = (args: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(args ?? {}).filter(
      (one): one is [string, string] => one[0].endsWith("_id") && typeof one[1] === "string",
    ),
  );
