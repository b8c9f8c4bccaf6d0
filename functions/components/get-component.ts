import { callerOf } from "../../shared/auth/caller.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { componentRoutes } from "../../shared/routes/components.ts";
import type { ComponentsDeps } from "./components-deps.ts";
import { visibleComponent } from "./visible-component.ts";
import { wireComponent } from "./wire-component.ts";

/** @source contract, components-and-platform A2 */
export const getComponent: Handler<typeof componentRoutes.getComponent, ComponentsDeps> = async (
  { params, query, principal },
  { db },
) => wireComponent(await visibleComponent(db, callerOf(principal), params.component_id, query));
