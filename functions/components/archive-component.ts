import { callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { requireGuard } from "../../shared/domain/components/guard.ts";
import { planArchive } from "../../shared/domain/components/plan-archive.ts";
import { ServiceError } from "../../shared/errors.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ComponentType } from "../../shared/schemas/components/component.ts";
import type { Guard } from "../../shared/schemas/components/component-bodies.ts";
import type { ComponentRecord } from "../../shared/schemas/components/component-record.ts";
import { type Commit, changeComponent } from "../../shared/stores/components/change-component.ts";
import { listVersions } from "../../shared/stores/components/version-item.ts";
import { disableSchedulesOf } from "../../shared/stores/schedules/index.ts";
import type { ComponentsDeps } from "./components-deps.ts";
import { refuseDeclared } from "./require-undeclared.ts";
import { ofType, requireChangeable } from "./visible-component.ts";

/** What the caller expects to be live, in the body or in the query. */
type Expected = {
  readonly guard: Guard | null | undefined;
  readonly expected_current_version?: number | undefined;
};

/**
 * Archives a component; the schedules that run it are disabled with it.
 *
 * @throws ServiceError NOT_FOUND, UNAUTHORIZED, and CONFLICT when another component links to it or another version is live
 */
export async function archiveComponent(
  { db, clock, codeDefined }: ComponentsDeps,
  principal: Principal,
  id: string,
  expected: Expected,
  type?: ComponentType,
): Promise<undefined> {
  const caller = callerOf(principal);
  const guard = guardOf(expected);
  const now = epochSeconds(clock);
  await changeComponent(db, id, async (seen) => {
    refuseDeclared({ codeDefined }, seen, id, type);
    const component = requireChangeable(caller, ofType(seen, type), id);
    requireGuard(guard, { current_version: component.current_version });
    const links = (await listVersions(db, id)).flatMap((version) => version.links);
    return {
      change: planArchive(component, links, now),
      commit: disablingSchedules({ db, codeDefined }, component, now),
    };
  });
  return undefined;
}

function guardOf({ guard, expected_current_version: expected }: Expected): Guard | null | undefined {
  if (expected === undefined) return guard;
  if (guard?.current_version != null && guard.current_version !== expected) {
    throw new ServiceError("BAD_REQUEST", "expected_current_version and guard.current_version differ");
  }
  return { ...guard, current_version: expected };
}

/**
 * Writes the archiving of a component and disables the schedules that run it, in one transaction; of very many
 * schedules the rest follows. A component that is declared in code still runs under this id, and so do its schedules.
 *
 * @returns undefined for a skill, which no schedule runs, and where the archiving is written by itself
 */
function disablingSchedules(
  { db, codeDefined }: Pick<ComponentsDeps, "db" | "codeDefined">,
  { component_type: type, component_id: id }: ComponentRecord,
  now: number,
): Commit | undefined {
  if (type === "skill" || codeDefined.some((one) => one.type === type && one.id === id)) return undefined;
  return (parts) => disableSchedulesOf(db, { type, id }, parts, `target_archived:${type}:${id}`, now);
}
