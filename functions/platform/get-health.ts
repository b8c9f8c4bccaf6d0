import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { platformRoutes } from "../../shared/routes/platform.ts";
import type { PlatformDeps } from "./platform-deps.ts";

/**
 * @decided `instantiated_at` is the start of the container that answers: nothing else is ever started.
 * @source docs/interface/platform.md 1.6
 * @throws ServiceError UNAVAILABLE naming each part that does not answer, where the deep check is asked for
 */
export const getHealth: Handler<typeof platformRoutes.getHealth, PlatformDeps> = async (
  { query },
  { instantiated_at, deepHealth },
) => {
  const missing = query.deep ? await deepHealth() : [];
  if (missing.length > 0) throw new ServiceError("UNAVAILABLE", `No answer from: ${missing.join(", ")}`);
  return { status: "ok", instantiated_at };
};
