import * as v from "valibot";
import { meaning } from "../values/described-as.ts";

export const auditOutcomes = ["changed", "started", "done", "read", "refused", "failed"] as const;

const Facts = v.nullable(v.record(v.string(), v.unknown()));

/** @source docs/interface/audit.md 1.1 */
export const AuditRecord = v.object({
  id: v.string(),
  at_ms: meaning(v.number(), "Epoch milliseconds"),
  principal: meaning(v.nullable(v.string()), "User id of the caller; null for the platform itself"),
  principal_kind: v.picklist(["user", "service_account", "internal", "anonymous", "platform"]),
  on_behalf_of: meaning(
    v.nullable(v.string()),
    "The user whose data or run it is, where that is another one",
  ),
  protocol: v.picklist(["http", "ag-ui", "mcp", "a2a", "chat", "schedule", "platform"]),
  address: meaning(v.nullable(v.string()), "Address of the client"),
  request_id: v.nullable(v.string()),
  operation: v.string(),
  target: v.record(v.string(), v.string()),
  decision: v.picklist(["allow", "forbidden"]),
  arguments_digest: meaning(v.nullable(v.string()), "SHA-256 of query and body"),
  before: meaning(Facts, "What the change replaced; large values as their digests"),
  after: meaning(Facts, "What the change wrote"),
  outcome: meaning(
    v.picklist(auditOutcomes),
    "changed: written with the change; started and done: before and after work of several steps",
  ),
  status: meaning(v.nullable(v.number()), "Status of the answer, where it is known"),
});
export type AuditRecord = v.InferOutput<typeof AuditRecord>;

/** What is said of a change where it is made; the rest of its record follows from the request. */
export type AuditEntry = Partial<Omit<AuditRecord, "before" | "after">> & {
  readonly target: AuditRecord["target"];
  readonly before?: object | undefined;
  readonly after?: object | undefined;
  /** Makes the record one of its kind within a window of time: a further one is not written. */
  readonly once?: { readonly name: string; readonly window_ms: number };
};

/** A record in a list. */
export const ListedAuditRecord = v.object({
  ...AuditRecord.entries,
  seal: meaning(v.nullable(v.number()), "Number of the seal that links it; null until it is sealed"),
});
export type ListedAuditRecord = v.InferOutput<typeof ListedAuditRecord>;

/** Links records to all that were sealed before. Its hash is over every other field. */
export const AuditSeal = v.object({
  number: v.number(),
  /** Day (UTC) on which it was made. */
  day: v.string(),
  at_ms: v.number(),
  /** The seal before it; null for the first of all. */
  previous: v.nullable(v.object({ day: v.string(), number: v.number(), hash: v.string() })),
  /** Place of each record, its digest, and until when it is kept (epoch seconds). */
  records: v.array(v.object({ place: v.string(), digest: v.string(), until: v.number() })),
  hash: v.string(),
});
export type AuditSeal = v.InferOutput<typeof AuditSeal>;

export const AuditProblem = v.object({
  kind: v.picklist([
    "seal_missing",
    "seal_changed",
    "link_broken",
    "record_missing",
    "record_changed",
    "record_not_sealed",
  ]),
  what: meaning(v.string(), "Number of the seal, or id of the record"),
});
export type AuditProblem = v.InferOutput<typeof AuditProblem>;

export const AuditVerification = v.object({
  day: v.string(),
  intact: v.boolean(),
  seals: v.number(),
  records: meaning(v.number(), "Records that are linked and unchanged"),
  waiting: meaning(v.number(), "Records of the last minutes that no seal links yet"),
  head: meaning(
    v.nullable(v.string()),
    "Hash of the day's last seal; compare it with one that you keep elsewhere",
  ),
  problems: v.array(AuditProblem),
});
export type AuditVerification = v.InferOutput<typeof AuditVerification>;
