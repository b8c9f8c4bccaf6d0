import { callerOf } from "../../shared/auth/caller.ts";
import { noLinks } from "../../shared/domain/components/component-change.ts";
import { requireGuard } from "../../shared/domain/components/guard.ts";
import { planCurrent } from "../../shared/domain/components/plan-current.ts";
import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { componentRoutes } from "../../shared/routes/components.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { changeComponent } from "../../shared/stores/components/change-component.ts";
import { getVersion } from "../../shared/stores/components/get-version.ts";
import type { ComponentsDeps } from "./components-deps.ts";
import { requireRunOfLinked } from "./require-run-of-linked.ts";
import { requireChangeableVersion } from "./visible-component.ts";
import { wireComponent } from "./wire-component.ts";

/** @source contract, components-and-platform A4, A5 */
export const setCurrentConfigVersion: Handler<
  typeof componentRoutes.setCurrentConfigVersion,
  ComponentsDeps
> = async ({ params, body, principal }, deps) => {
  const { db, clock } = deps;
  const { component_id: id, version } = params;
  const caller = callerOf(principal);
  const { component } = await changeComponent(db, id, async (seen) => {
    const found = seen && (await getVersion(db, id, version));
    const before = requireChangeableVersion(caller, seen, found, params);
    requireGuard(body.guard, { current_version: before.current_version });
    const component = planCurrent(before, found, version, epochSeconds(clock));
    if (found) await requireRunOfLinked(deps, principal, before.component_type, [found]);
    return { change: { ...noLinks, component } };
  });
  if (!component) throw notFound("component", id);
  return wireComponent(component);
};
