import { callerOf } from "../../../shared/auth/caller.ts";
import { requireGuard } from "../../../shared/domain/components/guard.ts";
import { planEditedVersion, requireDraft } from "../../../shared/domain/components/plan-version.ts";
import { stageOf } from "../../../shared/domain/components/stage.ts";
import { storedConfig } from "../../../shared/domain/components/stored-config.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import type { Handler } from "../../../shared/http/handler.ts";
import type { componentRoutes } from "../../../shared/routes/components.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { UpdateConfigVersionBody } from "../../../shared/schemas/components/component-bodies.ts";
import type { VersionRecord } from "../../../shared/schemas/components/component-record.ts";
import { changeComponent } from "../../../shared/stores/components/change-component.ts";
import { getLatestVersion, getVersion } from "../../../shared/stores/components/version-item.ts";
import type { ComponentsDeps } from "../components-deps.ts";
import { auditIfForced, forcedFacts } from "../inspect/audit-if-forced.ts";
import { type Inspected, inspectVersion } from "../inspect/inspect-version.ts";
import { refuseFaults } from "../inspect/refuse-faults.ts";
import { requireChangeableVersion } from "../visible-component.ts";
import { shownWarnings, wireVersion } from "../wire-component.ts";

/**
 * Changes a draft or publishes it; what is not given, or null, stays.
 *
 * @throws ServiceError BAD_REQUEST for a published version and, on this wire, for one that does not exist
 */
export const updateConfigVersion: Handler<
  typeof componentRoutes.updateConfigVersion,
  ComponentsDeps
> = async ({ params, query, body, principal }, deps) => {
  const { db, clock } = deps;
  const { component_id: id, version } = params;
  const caller = callerOf(principal);
  const now = epochSeconds(clock);
  let found: Inspected | undefined;
  const { change } = await changeComponent(db, id, async (seen) => {
    const before = seen && (await getVersion(db, id, version));
    const component = requireChangeableVersion(caller, seen, before, params);
    if (!before)
      throw new ServiceError("BAD_REQUEST", `version ${version} of component ${id} does not exist`);
    requireDraft(before);
    if (body.guard) requireGuard(body.guard, { latest_version: (await getLatestVersion(db, id))?.version });
    const links = body.links ?? (before.links_given && before.links);
    found = await inspectVersion(deps, principal, component, edited(before, body), links, version);
    refuseFaults(found, query.force);
    const planned = planEditedVersion(component, before, found.content, found.checked, now);
    return { change: planned, facts: forcedFacts(found) };
  });
  if (!change?.after) throw notFound("version", String(version));
  auditIfForced(deps, principal, change.after, found);
  return { ...wireVersion(change.after), ...shownWarnings(found) };
};

const edited = (before: VersionRecord, { config, stage, label, notes }: UpdateConfigVersionBody) => ({
  config: config ? storedConfig(config) : before.config,
  stage: stageOf(stage ?? before.stage),
  label: label ?? before.label,
  notes: notes ?? before.notes,
});
