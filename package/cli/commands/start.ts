import { serveLocally } from "../../../local/serve-locally.ts";
import { localEnvironment } from "../../config/local-environment.ts";
import { readProject } from "../../config/read-project.ts";
import { openInBrowser } from "../open-in-browser.ts";

type StartOptions = {
  readonly watch: boolean;
  /** Read by what starts this process; see `agent-platform.mjs`. */
  readonly inspect?: string | true;
  readonly json?: boolean;
  readonly open?: boolean;
};

/** A worker that a debugger has stopped sends no heartbeat; its run is not to be given up for that. Seconds. */
const WHILE_INSPECTED = { LOCK_GRACE_SECONDS: "86400", TOOL_TIMEOUT_SECONDS: "3600" };

/** Runs the project on this machine until it is stopped. */
export async function start({ watch, inspect, json = false, open = false }: StartOptions): Promise<void> {
  const { config, registry } = await readProject();
  const environment = { ...(inspect && WHILE_INSPECTED), ...localEnvironment(config), ...process.env };
  await serveLocally(environment, { watch, registry, json, ...(open && { greeted: openInBrowser }) });
}
