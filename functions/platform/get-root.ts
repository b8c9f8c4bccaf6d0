import type { Handler } from "../../shared/http/handler.ts";
import type { platformRoutes } from "../../shared/routes/platform.ts";
import type { PlatformDeps } from "./platform-deps.ts";

export const getRoot: Handler<typeof platformRoutes.getRoot, PlatformDeps> = async (
  _request,
  { osId, version },
) => ({
  name: osId,
  id: osId,
  version,
  health: "/health",
  info: "/info",
  docs: "/docs",
});
