import * as v from "valibot";
import { AuditVerification, auditOutcomes, ListedAuditRecord } from "../schemas/audit/audit-record.ts";
import { meaning } from "../schemas/values/described-as.ts";
import { integerText, optionalText } from "../schemas/values/fields.ts";
import { created } from "../schemas/values/query-fields.ts";
import type { RouteTable } from "./route.ts";

const only = (description: string) => meaning(optionalText(), description);

/** @source docs/interface/audit.md 2.1, 2.2 */
export const auditRoutes = {
  listAudit: {
    method: "GET",
    path: "/audit",
    scopes: ["audit:read"],
    query: v.object({
      principal: only("Only what this user or service account did, by its user id"),
      on_behalf_of: only("Only what was done with the data of this user"),
      operation: only("Only this operation, such as resolveApproval"),
      target: only("Only what has this id among its targets"),
      outcome: meaning(v.optional(v.picklist(auditOutcomes)), "Only records with this outcome"),
      ...created,
      limit: meaning(v.optional(integerText({ min: 1, max: 1000 }), "100"), "Most records of a page"),
      cursor: only("The next_cursor of the page before, with the same filters"),
      format: meaning(
        v.optional(v.picklist(["json", "jsonl"]), "json"),
        "jsonl answers lines of JSON, and the next cursor in the header x-next-cursor",
      ),
    }),
    response: v.object({
      data: v.array(ListedAuditRecord),
      next_cursor: meaning(
        v.nullable(v.string()),
        "Null on the last page; a page may have fewer records than asked for",
      ),
    }),
    lines: true,
    refuses: [400],
    example: { query: { operation: "mintServiceAccount", target: "svc_of-another-stage", limit: 20 } },
    summary: "List records of the audit, the newest first",
    description:
      "Who did what, when, to whose data, and with which outcome. Without bounds it looks back as far as records are kept.",
  },
  verifyAudit: {
    method: "GET",
    path: "/audit/verify",
    scopes: ["audit:read"],
    query: v.object({
      day: meaning(
        v.optional(v.pipe(v.string(), v.isoDate())),
        "Day in UTC, such as 2026-11-24; today where none is given",
      ),
    }),
    response: AuditVerification,
    refuses: [400],
    summary: "Verify the hash chain of a day",
    description:
      "Recomputes every seal that was made on the day, and every record that these seals link. Keep the head elsewhere to detect that a whole chain was replaced.",
  },
} as const satisfies RouteTable;
