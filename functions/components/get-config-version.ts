import { callerOf } from "../../shared/auth/caller.ts";
import { maySeeVersion } from "../../shared/domain/components/audience.ts";
import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { componentRoutes } from "../../shared/routes/components.ts";
import { getVersion } from "../../shared/stores/components/get-version.ts";
import type { ComponentsDeps } from "./components-deps.ts";
import { visibleComponent } from "./visible-component.ts";
import { wireVersion } from "./wire-component.ts";

/** @source contract, components-and-platform A2 */
export const getConfigVersion: Handler<typeof componentRoutes.getConfigVersion, ComponentsDeps> = async (
  { params, principal },
  { db },
) => {
  const caller = callerOf(principal);
  const component = await visibleComponent(db, caller, params.component_id);
  const version = await getVersion(db, params.component_id, params.version);
  if (!version || !maySeeVersion(caller, component, version))
    throw notFound("version", String(params.version));
  return wireVersion(version);
};
