import { callerOf } from "../../shared/auth/caller.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { componentRoutes } from "../../shared/routes/components.ts";
import type { ComponentsDeps } from "./components-deps.ts";
import { buildFaults } from "./inspect/build-faults.ts";
import { liveOrNewest } from "./versions/live-or-newest.ts";
import { visibleComponent } from "./visible-component.ts";
import { shownFaults, wireComponent } from "./wire-component.ts";

export const getComponent: Handler<typeof componentRoutes.getComponent, ComponentsDeps> = async (
  { params, query, principal },
  deps,
) => {
  const component = await visibleComponent(deps.db, callerOf(principal), params.component_id, query);
  const version = await liveOrNewest(deps.db, component);
  const faults = version ? await buildFaults(deps, component, version) : [];
  return { ...wireComponent(component), ...shownFaults(faults) };
};
