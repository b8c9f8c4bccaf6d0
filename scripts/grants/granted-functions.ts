import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openIdentity } from "../../local/identity.ts";
import { appContext } from "../../local/template/app-context.ts";
import { cloudModel } from "../../local/template/cloud-model.ts";
import type { FunctionModel } from "../../local/template/functions.ts";
import { synthesize } from "../../local/template/synthesize.ts";
import { testRegistry } from "../../test/support/test-registry.ts";

/** With the sources that the suite's platforms have, so that their grants are checked too. */
const options = {
  VECTOR_STORE: "s3-vectors",
  KNOWLEDGE_BASES: JSON.stringify([
    {
      name: "manuals",
      sources: [
        { type: "s3", id: "team", bucket: "team-files" },
        { type: "gcs", id: "google", bucket: "team-files", secret: "sources/google" },
      ],
    },
  ]),
};

/**
 * The functions of the template that the platforms of tests run, with the permissions of their roles. It has no grants for a
 * real model or chat platform: those are never called here. The bundles of the tests must be there.
 */
export async function grantedFunctions(): Promise<readonly FunctionModel[]> {
  const folder = mkdtempSync(join(tmpdir(), "agent-platform-grants-"));
  try {
    const context = appContext(openIdentity(folder), options);
    const outdir = join(folder, "cdk.out");
    const stacks = await synthesize(context, outdir, undefined, undefined, { registry: testRegistry });
    return cloudModel(stacks, "http://127.0.0.1:9").functions;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
