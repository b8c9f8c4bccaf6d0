import { AsyncLocalStorage } from "node:async_hooks";

/** By which way a request came. */
export const auditProtocols = ["http", "ag-ui", "mcp", "a2a", "chat", "schedule", "platform"] as const;

/** Who does something, as audit records say it. */
export type Actor = {
  readonly principal: string | null;
  readonly principal_kind: "user" | "service_account" | "internal" | "anonymous" | "platform";
  readonly protocol: (typeof auditProtocols)[number];
  /** Address of the client; null where there is none. */
  readonly address: string | null;
  readonly request_id: string | null;
  /** Null where no request asked for it. */
  readonly operation: string | null;
  /** SHA-256 of the query and the body, in hexadecimal. */
  readonly arguments_digest: string | null;
};

/** What is known of a request for its audit records; filled in while it is handled. */
export type AuditScope = {
  actor?: Actor;
  /** Whether a store has written a record with its change. */
  recorded?: boolean;
  /** Whose conversation is read; null for one that has no owner. */
  owner?: string | null;
  /** The session that it is about, where the address of the request does not name it. */
  session_id?: string;
};

const scope = new AsyncLocalStorage<AuditScope>();

/** Work that no request asked for: timers, workers. */
const platform: Actor = {
  principal: null,
  principal_kind: "platform",
  protocol: "platform",
  address: null,
  request_id: null,
  operation: null,
  arguments_digest: null,
};

/** Whatever is recorded during `work`, however deep, names the actor of this scope. */
export const inAuditScope = <T>(own: AuditScope, work: () => T): T => scope.run(own, work);

/** Who acts at present: the caller of the request, or the platform itself. */
export const currentActor = (): Actor => scope.getStore()?.actor ?? platform;

/** Notes that a store records the change of the present request. */
export function noteRecorded(): void {
  const own = scope.getStore();
  if (own) own.recorded = true;
}

/** The owner of what a list shows to an admin who names none. */
export const EVERYBODY = "*";

/** Whose conversation the present request has read so far, as it was noted. */
export const notedOwner = (): string | null | undefined => scope.getStore()?.owner;

/** Notes whose conversation the present request is about. @param session_id  where its address does not name the session */
export function noteOwner(owner: string | null, session_id?: string): void {
  const own = scope.getStore();
  if (!own) return;
  own.owner = owner;
  if (session_id !== undefined) own.session_id = session_id;
}
