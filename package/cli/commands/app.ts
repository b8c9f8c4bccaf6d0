import { App, Validations } from "aws-cdk-lib";
import { AgentPlatform } from "../../../lib/agent-platform.ts";
import { ensureBuilt, orExplain } from "../../../scripts/build.ts";
import { projectOf } from "../../../scripts/bundles/project.ts";
import { readManifest } from "../../../scripts/bundles/read-manifest.ts";
import { readProject, settingsOf } from "../../config/read-project.ts";

/** Makes the project's templates where the CDK wants them; the stage and further settings are in its context. */
export async function synthesizeApp(): Promise<void> {
  const project = await readProject();
  const { registry } = project;
  await orExplain(() => ensureBuilt({ registry }));
  const { dist } = projectOf({ registry });
  const { needs = [] } = readManifest(dist) ?? {};
  await orExplain(async () => {
    const app = new App({ analyticsReporting: false, treeMetadata: false });
    const context = app.node.getAllContext();
    const settings = settingsOf(project, String(context.stage ?? "dev"));
    new AgentPlatform(app, "AgentPlatform", { ...settings, ...context }, { dist, needs });
    const { AwsSolutionsChecks } = await import("cdk-nag");
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    app.synth();
  });
}
