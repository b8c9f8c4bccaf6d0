import { createHash } from "node:crypto";
import { agentCard, hybridCard } from "../../shared/a2a/agent-card.ts";
import { callerOf } from "../../shared/auth/caller.ts";
import { Reply } from "../../shared/http/handler.ts";
import { findComponent } from "../runs/read/find-component.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";
import { versionIn } from "./protocol-version.ts";

/**
 * The card by which other agents know a component: of version 1.0 for clients that name it, of both for others.
 *
 * @source contract, a2a section 7
 */
export async function getCard(request: A2aRequest, deps: A2aDeps): Promise<Reply> {
  const { component, principal, origin = "", headers } = request;
  const componentVersion = { reader: callerOf(principal), version: undefined };
  const runnable = await findComponent(deps, component, componentVersion);
  const { kind, id, name = id, description, version } = runnable;
  const described = { kind, id, name, description, version };
  const root = `${deps.publicUrl ?? origin}${deps.prefix}/${kind}s/${encodeURIComponent(id)}`;
  const card = versionIn(request) === "1.0" ? agentCard(described, root) : hybridCard(described, root);
  const etag = `"${createHash("sha256").update(JSON.stringify(card)).digest("base64url").slice(0, 27)}"`;
  const about = { vary: "A2A-Version, Authorization", "cache-control": "private, max-age=60", etag };
  const isKnown = headers["if-none-match"]?.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
  return isKnown ? new Reply(304, undefined, about) : new Reply(200, card, about);
}
