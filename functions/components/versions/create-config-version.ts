import { callerOf } from "../../../shared/auth/caller.ts";
import { requireGuard } from "../../../shared/domain/components/guard.ts";
import { notFound } from "../../../shared/errors.ts";
import type { Handler } from "../../../shared/http/handler.ts";
import type { componentRoutes } from "../../../shared/routes/components.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { changeComponent } from "../../../shared/stores/components/change-component.ts";
import { getLatestVersion } from "../../../shared/stores/components/version-item.ts";
import type { ComponentsDeps } from "../components-deps.ts";
import { auditIfForced, forcedFacts } from "../inspect/audit-if-forced.ts";
import type { Inspected } from "../inspect/inspect-version.ts";
import { requireChangeable } from "../visible-component.ts";
import { shownWarnings, wireVersion } from "../wire-component.ts";
import { contentOf } from "./content-of.ts";
import { planAddedVersion } from "./plan-added-version.ts";

export const createConfigVersion: Handler<
  typeof componentRoutes.createConfigVersion,
  ComponentsDeps
> = async ({ params, query, body, principal }, deps) => {
  const { db, clock } = deps;
  const id = params.component_id;
  const caller = callerOf(principal);
  const now = epochSeconds(clock);
  const version = { unlinked: contentOf(body), links: body.links };
  let found: Inspected | undefined;
  const { change } = await changeComponent(db, id, async (seen) => {
    const component = requireChangeable(caller, seen, id);
    if (body.guard) requireGuard(body.guard, { latest_version: (await getLatestVersion(db, id))?.version });
    const planned = await planAddedVersion(deps, principal, component, version, { now, force: query.force });
    found = planned.found;
    return { change: planned.change, facts: forcedFacts(found) };
  });
  if (!change?.after) throw notFound("component", id);
  auditIfForced(deps, principal, change.after, found);
  return { ...wireVersion(change.after), ...shownWarnings(found) };
};
