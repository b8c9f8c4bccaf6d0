import type { Handler } from "../../shared/http/handler.ts";
import type { platformRoutes } from "../../shared/routes/platform.ts";
import { docsPage } from "./docs-page.ts";
import type { PlatformDeps } from "./platform-deps.ts";

export const getDocs: Handler<typeof platformRoutes.getDocs, PlatformDeps> = async (_request, { osId }) =>
  docsPage(osId);
