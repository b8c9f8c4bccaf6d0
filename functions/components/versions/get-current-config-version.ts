import { callerOf } from "../../../shared/auth/caller.ts";
import { notFound } from "../../../shared/errors.ts";
import type { Handler } from "../../../shared/http/handler.ts";
import type { componentRoutes } from "../../../shared/routes/components.ts";
import type { ComponentsDeps } from "../components-deps.ts";
import { buildFaults } from "../inspect/build-faults.ts";
import { visibleComponent } from "../visible-component.ts";
import { shownFaults, wireVersion } from "../wire-component.ts";
import { liveOrNewest } from "./live-or-newest.ts";

export const getCurrentConfigVersion: Handler<
  typeof componentRoutes.getCurrentConfigVersion,
  ComponentsDeps
> = async ({ params, principal }, deps) => {
  const component = await visibleComponent(deps.db, callerOf(principal), params.component_id);
  const version = await liveOrNewest(deps.db, component);
  if (!version) throw notFound("component", params.component_id);
  return { ...wireVersion(version), ...shownFaults(await buildFaults(deps, component, version)) };
};
