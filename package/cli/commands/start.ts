import { serveLocally } from "../../../local/serve-locally.ts";
import { environmentOf } from "../../../local/template/app-context.ts";
import { readProject } from "../../config/read-project.ts";

/** Runs the project on this machine until it is stopped. */
export async function start({ watch }: { readonly watch: boolean }): Promise<void> {
  const { config, registry } = await readProject();
  // The model of a deployment answers from AWS or for money: here it is the scripted one unless another one is named.
  const { model, judgeModel, embedder, ...settings } = config.settings ?? {};
  const environment = { ...environmentOf({ ...settings, ...config.local }), ...process.env };
  await serveLocally(environment, { watch, registry });
}
