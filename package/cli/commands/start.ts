import { serveLocally } from "../../../local/serve-locally.ts";
import { localEnvironment } from "../../config/local-environment.ts";
import { readProject } from "../../config/read-project.ts";

/** Runs the project on this machine until it is stopped. */
export async function start({ watch }: { readonly watch: boolean }): Promise<void> {
  const { config, registry } = await readProject();
  await serveLocally({ ...localEnvironment(config), ...process.env }, { watch, registry });
}
