import { callerOf } from "../../../shared/auth/caller.ts";
import { planRemovedVersion } from "../../../shared/domain/components/plan-removed-version.ts";
import type { Handler } from "../../../shared/http/handler.ts";
import type { componentRoutes } from "../../../shared/routes/components.ts";
import { changeComponent } from "../../../shared/stores/components/change-component.ts";
import { getVersion } from "../../../shared/stores/components/version-item.ts";
import type { ComponentsDeps } from "../components-deps.ts";
import { requireChangeableVersion } from "../visible-component.ts";

export const removeConfigVersion: Handler<
  typeof componentRoutes.removeConfigVersion,
  ComponentsDeps
> = async ({ params, principal }, { db }) => {
  const { component_id: id, version } = params;
  const caller = callerOf(principal);
  await changeComponent(db, id, async (seen) => {
    const before = seen && (await getVersion(db, id, version));
    const component = requireChangeableVersion(caller, seen, before, params);
    return { change: planRemovedVersion(component, before, version) };
  });
  return undefined;
};
