import { App, type AppProps, Validations } from "aws-cdk-lib";
import { AgentPlatform } from "../lib/agent-platform.ts";
import { ConfigError } from "../lib/config/config-error.ts";

export type BuildAppOptions = {
  /** Values of the context, such as `{ stage: "prod", max_attempts: 3 }`. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Folder for the synthesized templates. */
  readonly outdir?: string;
};

/** How the CDK shall behave, from the command line as in process. */
const cdkContext = {
  // Tells the folder of each function's code in the template; the local platform reads it.
  "aws:cdk:enable-asset-metadata": true,
};

/**
 * Builds the whole application without synthesizing it. The bundles must have been built.
 *
 * @throws ConfigError naming every context value that is not usable
 */
export function buildApp({ context, outdir }: BuildAppOptions = {}): App {
  const props: AppProps = {
    analyticsReporting: false,
    treeMetadata: false,
    context: { ...cdkContext, ...context },
    ...(outdir !== undefined && { outdir }),
  };
  const app = new App(props);
  // All of the context belongs to this app, so a name that nobody knows is an error.
  new AgentPlatform(app, "AgentPlatform", app.node.getAllContext());
  return app;
}

/** For the command line: what is wrong with a setting is a sentence, without the place in the code that found it. */
function buildOrExplain(): App {
  try {
    return buildApp();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

if (import.meta.main) {
  const { ensureBuilt } = await import("../scripts/build.ts");
  await ensureBuilt();
  const app = buildOrExplain();
  // Only for the command line: loading the rules takes longer than everything the local platform does here.
  const { AwsSolutionsChecks } = await import("cdk-nag");
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
}
