import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildApp } from "../../bin/agent-platform.ts";
import { BUNDLED_LATER } from "../../lib/functions/function-code.ts";
import { wholeTemplate } from "../../lib/stacks/whole-template.ts";
import { emptyManifest } from "../../shared/runtime/registry-manifest.ts";
import type { Deployed, TemplateResource } from "./derive-policy.ts";
import { variants } from "./variants.ts";

/** The resources of every variant of the deployment. The bundles must have been built. @param registry  the project's own when absent */
export function synthesizeVariants(registry?: string): Deployed[] {
  // The rules of the command line say nothing about rights, and take seconds for each variant.
  process.env.CDK_VALIDATION = "false";
  return variants.map(({ option, context, needs }) => {
    const outdir = mkdtempSync(join(tmpdir(), "deploy-policy-"));
    try {
      // Rights do not depend on the code, whose digests take longer than the rest.
      const unstaged = { "aws:cdk:disable-asset-staging": true, [BUNDLED_LATER]: true };
      const manifest = needs && { ...emptyManifest, needs };
      const app = buildApp({ context: { ...unstaged, ...context }, outdir, registry, manifest });
      const templates = app.synth().stacks.map(({ template }) => wholeTemplate(template, outdir));
      return {
        option,
        resources: templates.flatMap(({ Resources }) => Object.values<TemplateResource>(Resources)),
      };
    } finally {
      rmSync(outdir, { recursive: true, force: true });
    }
  });
}
