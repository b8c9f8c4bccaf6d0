import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, orExplain } from "../build/bundles/index.ts";

/**
 * Writes `docs/deploy-policy.json`, `-edge.json` and `-options.json`: what CloudFormation may do when it deploys, derived from
 * the templates. With `--refresh` it first reads anew what the handlers of the resource types need.
 */
export const policyFiles = {
  core: join(import.meta.dirname, "../docs/deploy-policy.json"),
  edge: join(import.meta.dirname, "../docs/deploy-policy-edge.json"),
  options: join(import.meta.dirname, "../docs/deploy-policy-options.json"),
} as const;

if (import.meta.main) {
  await orExplain(ensureBuilt);
  const { synthesizeVariants } = await import("./deploy-policy/synthesize-variants.ts");
  const deployed = synthesizeVariants();
  if (process.argv.includes("--refresh")) {
    const { refreshHandlers } = await import("./deploy-policy/refresh-handlers.ts");
    refreshHandlers(new Set(deployed.flatMap(({ resources }) => resources.map(({ Type }) => Type))));
  }
  // After the handlers were written: it reads them when it is loaded.
  const { derivePolicies } = await import("./deploy-policy/derive-policy.ts");
  const policies = derivePolicies(deployed);
  for (const which of ["core", "edge", "options"] as const) {
    writeFileSync(policyFiles[which], `${JSON.stringify(policies[which], undefined, 2)}\n`);
    console.log(`${policyFiles[which]}: ${JSON.stringify(policies[which]).length} of 6144 characters`);
  }
}
