import type { Handler } from "../../shared/http/handler.ts";
import type { componentRoutes } from "../../shared/routes/components.ts";
import { archiveComponent } from "./archive-component.ts";
import type { ComponentsDeps } from "./components-deps.ts";

export const removeComponent: Handler<typeof componentRoutes.removeComponent, ComponentsDeps> = async (
  { params, query, body, principal },
  deps,
) => archiveComponent(deps, principal, params.component_id, { ...query, guard: body.guard });
