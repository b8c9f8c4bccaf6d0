import type { Handler } from "../../shared/http/handler.ts";
import type { componentRoutes } from "../../shared/routes/components.ts";
import { addComponent } from "./add-component.ts";
import type { ComponentsDeps } from "./components-deps.ts";

export const createComponent: Handler<typeof componentRoutes.createComponent, ComponentsDeps> = async (
  { body, query, principal },
  deps,
) => addComponent(deps, principal, body.component_type, body, query.force);
