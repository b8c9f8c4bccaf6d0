import { App, type AppProps, Validations } from "aws-cdk-lib";
import { projectOf, readManifest, registryArgument } from "../build/index.ts";
import { AgentPlatform } from "../lib/agent-platform.ts";
import { readConfig } from "../lib/config/config.ts";
import { BUNDLED_LATER } from "../lib/functions/function-code.ts";
import type { RegistryManifest } from "../shared/runtime/registry-manifest.ts";

export type BuildAppOptions = {
  /** Values of the context, such as `{ stage: "prod", max_attempts: 3 }`. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Folder for the synthesized templates. */
  readonly outdir?: string;
  /** File that exports the `registry`; this project's own when absent. */
  readonly registry?: string | undefined;
  /** What it declares; as the build has described it when absent. */
  readonly manifest?: RegistryManifest | undefined;
  /** Folder with the bundles; where the build puts them when absent. */
  readonly dist?: string | undefined;
};

/** How the CDK shall behave, from the command line as in process. */
const cdkContext = {
  // Puts into the template the folder of each function's code in the template; the local platform reads it.
  "aws:cdk:enable-asset-metadata": true,
};

/**
 * Builds the whole application without synthesizing it. The registry must have been described, which the build does
 * first; the bundles must have been built.
 *
 * @throws ConfigError naming every context value that is not usable
 */
export function buildApp({ context, outdir, registry, manifest, dist: given }: BuildAppOptions = {}): App {
  const dist = given ?? projectOf({ registry }).dist;
  const declared = manifest ?? readManifest(dist);
  const props: AppProps = {
    analyticsReporting: false,
    treeMetadata: false,
    context: { ...cdkContext, ...context },
    ...(outdir !== undefined && { outdir }),
  };
  const app = new App(props);
  // All of the context belongs to this app, so an unknown name is an error.
  const settings = app.node.getAllContext();
  if (!declared) {
    // Errors in settings are reported first: fixing them takes no build.
    readConfig((name) => settings[name], Object.keys(settings));
    throw new Error(`there is no description of the registry in ${dist}; run "npm run build"`);
  }
  new AgentPlatform(app, "AgentPlatform", settings, { dist, needs: declared.needs, declared });
  return app;
}

if (import.meta.main) {
  const { ensureBuilt, ensureDescribed, orExplain } = await import("../build/bundles/index.ts");
  const registry = registryArgument(process.argv);
  const isCodeNeeded = JSON.parse(process.env.CDK_CONTEXT_JSON ?? "{}")[BUNDLED_LATER] === undefined;
  await orExplain(() => (isCodeNeeded ? ensureBuilt({ registry }) : ensureDescribed({ registry })));
  const app = await orExplain(() => buildApp({ registry }));
  // Only for the command line: loading the rules takes longer than everything the local platform does here.
  const { AwsSolutionsChecks } = await import("cdk-nag");
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
}
