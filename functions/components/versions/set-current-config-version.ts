import { callerOf } from "../../../shared/auth/caller.ts";
import { noLinks } from "../../../shared/domain/components/component-change.ts";
import { requireGuard } from "../../../shared/domain/components/guard.ts";
import { notFound } from "../../../shared/errors.ts";
import type { Handler } from "../../../shared/http/handler.ts";
import type { componentRoutes } from "../../../shared/routes/components.ts";
import { changeComponent } from "../../../shared/stores/components/change-component.ts";
import { getVersion } from "../../../shared/stores/components/version-item.ts";
import type { ComponentsDeps } from "../components-deps.ts";
import { auditIfForced, forcedFacts } from "../inspect/audit-if-forced.ts";
import { requireChangeableVersion } from "../visible-component.ts";
import { shownWarnings, wireComponent } from "../wire-component.ts";
import { type MadeLive, makeLive } from "./make-live.ts";

export const setCurrentConfigVersion: Handler<
  typeof componentRoutes.setCurrentConfigVersion,
  ComponentsDeps
> = async ({ params, query, body, principal }, deps) => {
  const { component_id: id, version } = params;
  const caller = callerOf(principal);
  let live: MadeLive | undefined;
  const { component } = await changeComponent(deps.db, id, async (seen) => {
    const found = seen && (await getVersion(deps.db, id, version));
    const before = requireChangeableVersion(caller, seen, found, params);
    requireGuard(body.guard, { current_version: before.current_version });
    live = await makeLive(deps, principal, before, { found, number: version, force: query.force });
    return { change: { ...noLinks, component: live.component }, facts: forcedFacts(live) };
  });
  if (!component) throw notFound("component", id);
  if (live?.version) auditIfForced(deps, principal, live.version, live);
  return { ...wireComponent(component), ...shownWarnings(live) };
};
