import { callerOf } from "../../shared/auth/caller.ts";
import { audiencesOf } from "../../shared/domain/components/audience.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { componentRoutes } from "../../shared/routes/components.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import { listComponents as findComponents } from "../../shared/stores/components/list-components.ts";
import type { ComponentsDeps } from "./components-deps.ts";
import { wireComponent } from "./wire-component.ts";

/** @source docs/interface/components.md 1.3 */
export const listComponents: Handler<typeof componentRoutes.listComponents, ComponentsDeps> = async (
  { query, principal },
  { db, clock, codeDefined },
) => {
  const { page, limit, component_type, include_deleted } = query;
  const startedAt = clock.now();
  const { components, total } = await findComponents(db, {
    audiences: audiencesOf(callerOf(principal)),
    type: component_type,
    include_deleted,
    hidden: codeDefined.map((one) => one.id),
    page,
    limit,
  });
  return {
    data: components.map(wireComponent),
    meta: pageMeta(page, limit, total, clock.now() - startedAt),
  };
};
