import { App, Validations } from "aws-cdk-lib";
import { describeLargeBundles, ensureBuilt, largeBundles, orExplain } from "../../../build/bundles/index.ts";
import { projectOf, readManifest } from "../../../build/index.ts";
import { AgentPlatform } from "../../../lib/agent-platform.ts";
import { readProject, settingsOf } from "../../config/read-project.ts";
import { flagsAsWithoutValue } from "../feature-flags.ts";
import { UsageError } from "../usage-error.ts";

/** The command line of the CDK asks the author of an app, which the platform is, to look at flags that are not set. */
function setFlags({ node }: App): void {
  for (const [name, value] of Object.entries(flagsAsWithoutValue()))
    if (node.tryGetContext(name) === undefined) node.setContext(name, value);
}

/** Makes the project's templates where the CDK wants them; the stage and further settings are in its context. */
export async function synthesizeApp(): Promise<void> {
  const project = await readProject();
  const { registry } = project;
  await orExplain(() => ensureBuilt({ registry }));
  const built = projectOf({ registry });
  const { dist } = built;
  const { lines, isTooLarge } = describeLargeBundles(largeBundles(built));
  for (const line of lines) console.warn(line);
  if (isTooLarge)
    throw new UsageError("It cannot be deployed so: leave a package out, or load its work from elsewhere.");
  const { needs = [] } = readManifest(dist) ?? {};
  await orExplain(async () => {
    const app = new App({ analyticsReporting: false, treeMetadata: false });
    const context = app.node.getAllContext();
    setFlags(app);
    const settings = settingsOf(project, String(context.stage ?? "dev"));
    new AgentPlatform(app, "AgentPlatform", { ...settings, ...context }, { dist, needs });
    const { AwsSolutionsChecks } = await import("cdk-nag");
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    app.synth();
  });
}
