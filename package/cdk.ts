import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { App, type AppProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { projectOf, readManifest } from "../build/index.ts";
import { type AgentPlatformProps, AgentPlatform as BuiltPlatform } from "../lib/agent-platform.ts";
import { BUNDLED_LATER } from "../lib/functions/function-code.ts";
import { emptyManifest } from "../shared/runtime/registry-manifest.ts";
import { nodeBinary } from "./node-binary.ts";

export type Props = AgentPlatformProps & {
  /** File that exports the `registry`. */
  readonly registry: string;
};

/**
 * The platform with a project's own agents, as part of a CDK app. What has changed is bundled first, which takes some
 * seconds.
 *
 * @throws ConfigError naming every setting that is not usable; Error with the build's own words when the registry cannot
 *         be loaded or bundled
 */
export class AgentPlatform extends BuiltPlatform {
  constructor(scope: Construct, id: string, { registry, ...props }: Props) {
    super(scope, id, props, built(registry, scope.node.tryGetContext(BUNDLED_LATER) === undefined));
  }
}

/**
 * An app with nothing but the platform; `cdk.json` of a new project has the command line make it. All of its context is the
 * platform's, so an unknown value is an error.
 */
export function agentPlatformApp({ app, ...props }: Props & { readonly app?: AppProps }): App {
  const made = new App({ analyticsReporting: false, treeMetadata: false, ...app });
  new AgentPlatform(made, "AgentPlatform", { ...made.node.getAllContext(), ...props });
  return made;
}

/** A construct cannot wait, so another process builds. @param isCodeNeeded  false where a stage is only removed */
function built(registry: string, isCodeNeeded: boolean) {
  const project = projectOf({ registry });
  const extension = import.meta.filename.endsWith(".ts") ? "ts" : "js";
  const script = join(dirname(import.meta.filename), "..", "build", `main.${extension}`);
  const { status, stderr } = spawnSync(
    nodeBinary(),
    [script, "--registry", registry, ...(isCodeNeeded ? [] : ["--describe"])],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  if (status !== 0) throw new Error(String(stderr).trim() || `the build ended with ${status}`);
  const declared = readManifest(project.dist) ?? emptyManifest;
  return { dist: project.dist, needs: declared.needs, declared };
}
