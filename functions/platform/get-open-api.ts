import type { Handler } from "../../shared/http/handler.ts";
import type { platformRoutes } from "../../shared/routes/platform.ts";
import type { PlatformDeps } from "./platform-deps.ts";

let described: Record<string, unknown> | undefined;

/** The document does not change while a container lives, so it is made once. */
export const getOpenApi: Handler<typeof platformRoutes.getOpenApi, PlatformDeps> = async (
  _request,
  { version, served },
) => {
  // Loaded with the first request: every other route starts without its examples and schemas.
  described ??= (await import("../../shared/openapi/open-api.ts")).openApi(version, served);
  return described;
};
