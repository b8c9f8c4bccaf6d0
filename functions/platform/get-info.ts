import type { Handler } from "../../shared/http/handler.ts";
import type { platformRoutes } from "../../shared/routes/platform.ts";
import type { PlatformDeps } from "./platform-deps.ts";
import { servedProtocols } from "./served-protocols.ts";

/** Version of the interface that is spoken here; clients choose their dialect by it. */
const INTERFACE_VERSION = "2.7.2";

/** @source docs/interface/platform.md 1.3 */
export const getInfo: Handler<typeof platformRoutes.getInfo, PlatformDeps> = async (
  _request,
  { osId, version, registry, served },
) => ({
  os_id: osId,
  name: osId,
  agno_version: INTERFACE_VERSION,
  os_version: version,
  agent_count: registry.agents.length,
  team_count: registry.teams.length,
  workflow_count: registry.workflows.length,
  ...servedProtocols(served),
  auth_mode: "jwt",
});
