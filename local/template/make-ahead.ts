import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { functionNames, projectOf } from "../../build/index.ts";
import { emptyManifest } from "../../shared/runtime/registry-manifest.ts";
import { openIdentity } from "../identity.ts";
import { appContext } from "./app-context.ts";
import { synthesize } from "./synthesize.ts";
import { broughtTemplates } from "./template-cache.ts";

/**
 * Makes the template of a project that sets nothing and whose tools need nothing, as a new one does, so that its first start has it
 * already. A package is made with it; what changes anything has a template of its own made.
 *
 * @param folder  takes it
 */
export async function makeAhead(folder: string = broughtTemplates): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "agent-platform-template-"));
  try {
    const registry = join(home, "registry.ts");
    const { root, dist } = projectOf({ registry });
    for (const name of functionNames(root)) mkdirSync(join(dist, name), { recursive: true });
    const identity = openIdentity(home);
    const context = appContext(identity, {});
    await synthesize(context, join(home, "cdk.out"), identity.publicParts, undefined, {
      registry,
      manifest: emptyManifest,
      folder,
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
