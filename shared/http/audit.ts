import { createHash } from "node:crypto";
import type { Decision } from "../auth/decision.ts";
import type { Principal } from "../auth/principal.ts";
import { type AuditMode, auditModeOf, writesConversation } from "../routes/audited.ts";
import type { Match, Matched } from "../routes/matching/matcher.ts";
import { isProtocolOperation } from "../routes/protocols/protocol-operations.ts";
import type { Actor, AuditScope } from "../runtime/audit-scope.ts";
import type { Log } from "../runtime/log.ts";
import { accountNameOf } from "../schemas/access/account-user-id.ts";
import type { AuditEntry } from "../schemas/audit/audit-record.ts";
import type { Incoming } from "./incoming.ts";

/** What is known of a request for the audit; filled in as it becomes known. */
export type Audited = AuditScope & {
  found?: Match;
  decision?: Decision | undefined;
  /** Id of what the request made, where its path names nothing. */
  created?: string | undefined;
};

/** Writes a record of its own. */
export type RecordAudit = (entry: AuditEntry) => Promise<void>;

/** The parts of a request that the audit reads. */
type AuditInput = { readonly incoming: Incoming; readonly audited: Audited };

/** Decisions that are logged on every route. */
const refusals = new Set<string | undefined>(["unauthenticated", "forbidden", "throttled"]);

/** What is read or refused again and again is recorded once in this time. */
const WINDOW_MS = 600_000;

/** Refusals that say something about rights and rivals; malformed requests are left out. */
const recordedRefusals = new Set([403, 404, 409]);

/**
 * Logs who requested what and what was decided: for every request to an audited route, and for every request that the
 * authorizer refuses. Ids only; this function receives neither a body nor a credential.
 *
 * @param status  of the answer; shows what a handler refused although the authorizer allowed it
 */
export function logAudit(log: Pick<Log, "info">, { incoming, audited }: AuditInput, status: number): void {
  const { found, decision } = audited;
  const matched = matchedOf(found);
  const isAudited = matched !== undefined && auditModeOf(matched.operation) !== undefined;
  if (!isAudited && !(refusals.has(decision?.outcome) && !isPublic(found))) return;
  log.info("audit", {
    principal: principalOf(decision),
    principal_kind: decision?.outcome === "allow" ? decision.principal.kind : null,
    source_ip: incoming.sourceIp,
    method: incoming.method,
    route: matched?.route.path ?? null,
    operation: matched?.operation ?? null,
    target: targetOf(audited),
    decision: decision?.outcome ?? "unauthenticated",
    status,
  });
}

/** Who makes an admitted or forbidden request, for its records. */
export function actorOf(
  incoming: Incoming,
  found: Matched,
  principal: Pick<Principal, "kind" | "user_id">,
): Actor {
  const { rawQueryString, body } = incoming;
  const hasArguments = rawQueryString !== "" || body.length > 0;
  return {
    principal: principal.user_id,
    principal_kind: principal.kind,
    protocol: protocolOf(incoming, found, principal),
    address: incoming.sourceIp,
    request_id: incoming.requestId,
    operation: found.operation,
    arguments_digest: hasArguments
      ? createHash("sha256").update(rawQueryString).update("\n").update(body).digest("hex")
      : null,
  };
}

/**
 * The records that a request makes in addition to those that stores write with their changes.
 *
 * @source docs/interface/audit.md 1.2, 1.3
 */
export function auditTrail(record: RecordAudit | undefined, audited: Audited) {
  const matched = matchedOf(audited.found);
  const mode = matched && auditModeOf(matched.operation);
  const writes = matched !== undefined && writesConversation(matched.operation);
  const principal = audited.decision?.outcome === "allow" ? audited.decision.principal : undefined;
  return {
    /** Before anything is done: if the process dies within it, this much is known. */
    begin: async (): Promise<void> => {
      if (mode === "around" || mode === "many")
        await record?.({ target: targetOf(audited), outcome: "started" });
    },
    /**
     * Once it is done and before it is answered: an admin reads nothing of others that is not recorded.
     *
     * @param result  what the handler returned; recorded of work on many things at once
     */
    end: async (result: unknown): Promise<void> => {
      const about = { target: targetOf(audited), ...othersOf(audited, principal) };
      if (mode !== undefined) {
        if (!audited.recorded) await record?.({ ...about, outcome: "done", ...answeredFacts(mode, result) });
      } else if (about.on_behalf_of !== undefined && !audited.recorded) {
        const read = { outcome: "read", once: onceIn(audited, "read") } as const;
        await record?.({ ...about, ...(writes ? { outcome: "done" } : read) });
      }
    },
    /** What was refused or has failed, of audited routes. @param status of the answer */
    refuse: async (status: number): Promise<void> => {
      if (mode === undefined || status < 400) return;
      const decision = audited.decision?.outcome === "forbidden" ? "forbidden" : "allow";
      if (audited.decision?.outcome !== decision) return;
      const about = { target: targetOf(audited), decision, status } as const;
      if (recordedRefusals.has(status))
        await record?.({ ...about, outcome: "refused", once: onceIn(audited, String(status)) });
      else if (status >= 500) await record?.({ ...about, outcome: "failed" });
    },
  };
}

const matchedOf = (found: Match): Matched | undefined => (found && "operation" in found ? found : undefined);

const targetOf = ({ found, created, session_id }: Audited): Readonly<Record<string, string>> =>
  created === undefined
    ? { ...matchedOf(found)?.params, ...(session_id !== undefined && { session_id }) }
    : { id: created };

/** Whose data it is, where an admin acts on another user's. */
function othersOf({ owner }: Audited, principal: Principal | undefined): { on_behalf_of?: string } {
  if (!principal?.admin || owner === undefined || owner === null || owner === principal.user_id) return {};
  return { on_behalf_of: owner };
}

const answeredFacts = (mode: AuditMode, result: unknown): { after?: object } =>
  mode === "many" && typeof result === "object" && result !== null ? { after: result } : {};

function onceIn(audited: Audited, what: string) {
  const { principal, operation } = audited.actor ?? {};
  const named = JSON.stringify([principal, operation, targetOf(audited), what, audited.owner]);
  return { name: createHash("sha256").update(named).digest("hex").slice(0, 32), window_ms: WINDOW_MS };
}

function protocolOf(
  { headers }: Incoming,
  { family, operation }: Matched,
  { kind }: Pick<Principal, "kind">,
): Actor["protocol"] {
  if (kind === "internal") return headers["x-chat-message"] === undefined ? "schedule" : "chat";
  if (family === "a2a") return "a2a";
  if (!isProtocolOperation(operation)) return "http";
  return operation === "callMcp" ? "mcp" : "ag-ui";
}

function principalOf(decision: Decision | undefined): string | null {
  if (decision?.outcome === "allow") return decision.principal.user_id;
  return decision?.outcome === "forbidden" ? (decision.user_id ?? null) : null;
}

/** The caller of a request that access forbade, of which only the user id is known. */
export function forbiddenCaller(
  decision: Decision | undefined,
): Pick<Principal, "kind" | "user_id"> | undefined {
  if (decision?.outcome !== "forbidden") return undefined;
  const user_id = decision.user_id ?? null;
  return {
    user_id,
    kind: user_id !== null && accountNameOf(user_id) !== undefined ? "service_account" : "user",
  };
}

const isPublic = (found: Match): boolean =>
  found !== undefined && ("operation" in found ? found.route.scopes === "public" : found.public);
