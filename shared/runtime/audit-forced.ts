import type { Log } from "./log.ts";

type Forced = {
  readonly principal: string | null;
  readonly component_id: string;
  readonly version: number;
  /** Where its config is wrong. */
  readonly faults: readonly string[];
};

/** Records in the audit log that a version was made live although it cannot run. */
export const auditForced = (log: Pick<Log, "info">, { component_id, version, ...forced }: Forced): void =>
  log.info("audit", {
    operation: "forceConfigVersion",
    ...forced,
    target: { component_id, version },
    decision: "allow",
  });
