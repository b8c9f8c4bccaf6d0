import type { Handler } from "../../shared/http/handler.ts";
import type { componentRoutes } from "../../shared/routes/components.ts";
import type { ComponentsDeps } from "./components-deps.ts";
import { changeDetails } from "./versions/change-details.ts";

export const updateComponent: Handler<typeof componentRoutes.updateComponent, ComponentsDeps> = async (
  { params, query, body, principal },
  deps,
) => changeDetails(deps, principal, params.component_id, body, query);
