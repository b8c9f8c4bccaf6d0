import type { Log } from "./log.ts";

type Disabled = { readonly schedule_id: string; readonly owner: string | null; readonly reason: string };

/**
 * Records in the audit log that the platform itself disabled a schedule: no request did, so no request's line says it.
 */
export const auditDisabled = (log: Pick<Log, "info">, { schedule_id, owner, reason }: Disabled): void =>
  log.info("audit", {
    principal: null,
    principal_kind: "internal",
    operation: "disableSchedule",
    target: { schedule_id },
    owner,
    reason,
    decision: "allow",
  });
