import type { Decision } from "../auth/decision.ts";
import type { Match } from "../routes/matching/matcher.ts";
import type { Log } from "../runtime/log.ts";
import type { Incoming } from "./incoming.ts";

/** What the audit log records of a request; filled in as it becomes known. */
export type Audited = {
  found?: Match;
  decision?: Decision | undefined;
  /** Id of what the request made, where its path names nothing. */
  created?: string | undefined;
};

/** The parts of a request that the audit log reads. */
type AuditInput = { readonly incoming: Incoming; readonly audited: Audited };

/** Decisions that are logged on every route. */
const refusals = new Set<string | undefined>(["unauthenticated", "forbidden", "throttled"]);

/**
 * Logs who requested what and what was decided: for every request to a row with `audit`, and for every request that
 * the authorizer refuses. Ids only; this function receives neither a body nor a credential.
 *
 * @param status  of the answer; shows what a handler refused although the authorizer allowed it
 */
export function writeAudit(log: Pick<Log, "info">, { incoming, audited }: AuditInput, status: number): void {
  const { found, decision, created } = audited;
  const matched = found && "operation" in found ? found : undefined;
  if (!matched?.route.audit && !(refusals.has(decision?.outcome) && !isPublic(found))) return;
  log.info("audit", {
    principal: principalOf(decision),
    principal_kind: decision?.outcome === "allow" ? decision.principal.kind : null,
    source_ip: incoming.sourceIp,
    method: incoming.method,
    route: matched?.route.path ?? null,
    operation: matched?.operation ?? null,
    target: created === undefined ? (matched?.params ?? {}) : { id: created },
    decision: decision?.outcome ?? "unauthenticated",
    status,
  });
}

function principalOf(decision: Decision | undefined): string | null {
  if (decision?.outcome === "allow") return decision.principal.user_id;
  return decision?.outcome === "forbidden" ? (decision.user_id ?? null) : null;
}

const isPublic = (found: Match): boolean =>
  found !== undefined && ("operation" in found ? found.route.scopes === "public" : found.public);
