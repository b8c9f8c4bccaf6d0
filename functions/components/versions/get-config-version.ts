import { callerOf } from "../../../shared/auth/caller.ts";
import type { Handler } from "../../../shared/http/handler.ts";
import type { componentRoutes } from "../../../shared/routes/components.ts";
import type { ComponentsDeps } from "../components-deps.ts";
import { buildFaults } from "../inspect/build-faults.ts";
import { shownFaults, wireVersion } from "../wire-component.ts";
import { visibleVersion } from "./visible-version.ts";

export const getConfigVersion: Handler<typeof componentRoutes.getConfigVersion, ComponentsDeps> = async (
  { params, principal },
  deps,
) => {
  const { component, version } = await visibleVersion(deps.db, callerOf(principal), params);
  return { ...wireVersion(version), ...shownFaults(await buildFaults(deps, component, version)) };
};
