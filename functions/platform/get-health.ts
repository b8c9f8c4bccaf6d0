import type { Handler } from "../../shared/http/handler.ts";
import type { platformRoutes } from "../../shared/routes/platform.ts";
import type { PlatformDeps } from "./platform-deps.ts";

/** @decided `instantiated_at` is the start of the container that answers: nothing else is ever started. */
export const getHealth: Handler<typeof platformRoutes.getHealth, PlatformDeps> = async (
  _request,
  { instantiated_at },
) => ({ status: "ok", instantiated_at });
