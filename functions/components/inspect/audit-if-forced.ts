import { callerOf } from "../../../shared/auth/caller.ts";
import type { Principal } from "../../../shared/auth/principal.ts";
import type { Fault } from "../../../shared/errors.ts";
import type { Log } from "../../../shared/runtime/log.ts";
import type { VersionRecord } from "../../../shared/schemas/components/component-record.ts";
import type { ComponentsDeps } from "../components-deps.ts";

/**
 * Records that a version went live although it cannot run: without `force` it would have been refused.
 *
 * @param found  what was found out about the version when it was written
 */
export function auditIfForced(
  { log }: Pick<ComponentsDeps, "log">,
  principal: Principal,
  { component_id, version, stage }: Pick<VersionRecord, "component_id" | "version" | "stage">,
  found: { readonly faults: readonly Fault[] } | undefined,
): void {
  const faults = found?.faults.map(({ path }) => path) ?? [];
  if (stage !== "published" || faults.length === 0) return;
  auditForced(log, { principal: callerOf(principal).user_id, component_id, version, faults });
}

/** The same for the record that is written with the change. */
export function forcedFacts(found: { readonly faults: readonly Fault[] } | undefined): object | undefined {
  return found && found.faults.length > 0 ? { forced: found.faults.map(({ path }) => path) } : undefined;
}

type Forced = {
  readonly principal: string | null;
  readonly component_id: string;
  readonly version: number;
  /** Where its config is wrong. */
  readonly faults: readonly string[];
};

/** Records in the audit log that a version was made live although it cannot run. */
const auditForced = (log: Pick<Log, "info">, { component_id, version, ...forced }: Forced): void =>
  log.info("audit", {
    operation: "forceConfigVersion",
    ...forced,
    target: { component_id, version },
    decision: "allow",
  });
