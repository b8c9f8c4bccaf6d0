import type { Principal } from "../../../shared/auth/principal.ts";
import { inspectConfig } from "../../../shared/domain/components/inspect-config.ts";
import { planCurrent } from "../../../shared/domain/components/plan-current.ts";
import type { Fault } from "../../../shared/errors.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { ComponentRecord, VersionRecord } from "../../../shared/schemas/components/component-record.ts";
import type { ConfigWarning } from "../../../shared/schemas/components/config-check.ts";
import { getVersion } from "../../../shared/stores/components/version-item.ts";
import type { ComponentsDeps } from "../components-deps.ts";
import { buildFaults } from "../inspect/build-faults.ts";
import { rollbackFaults } from "../inspect/gate-faults.ts";
import { refuseBroken } from "../inspect/refuse-faults.ts";
import { requireRunOfLinked } from "../inspect/require-run-of-linked.ts";

/** A component with another version live, and what was found out about that version. */
export type MadeLive = {
  readonly component: ComponentRecord;
  readonly version: VersionRecord | undefined;
  readonly faults: readonly Fault[];
  readonly warnings: readonly ConfigWarning[];
};

/**
 * Plans to make a published version live: rolled back, or forward again.
 *
 * @param found  the requested version
 * @param force  whether one that cannot run goes live all the same
 * @throws ServiceError as `planCurrent` says; UNAUTHORIZED for who may not run what it links; UNPROCESSABLE with the faults
 *   of one that cannot run
 */
export async function makeLive(
  deps: ComponentsDeps,
  principal: Principal,
  before: ComponentRecord,
  { found, number, force }: { found: VersionRecord | undefined; number: number; force: boolean },
): Promise<MadeLive> {
  const component = planCurrent(before, found, number, epochSeconds(deps.clock));
  if (!found) return { component, version: found, faults: [], warnings: [] };
  await requireRunOfLinked(deps, principal, before.component_type, [found]);
  const { current_version } = before;
  const live =
    current_version === undefined
      ? undefined
      : await getVersion(deps.db, before.component_id, current_version);
  const faults = [...(await buildFaults(deps, before, found)), ...rollbackFaults(live, found)];
  refuseBroken(faults, force);
  const { warnings } = inspectConfig(before.component_type, found.config);
  return { component, version: found, faults, warnings };
}
