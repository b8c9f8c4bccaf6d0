import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TokenClaims } from "../local/identity.ts";
import { startPlatform as startLocally } from "../local/platform.ts";
import { environmentOf } from "../local/template/app-context.ts";
import type { ProjectSettings } from "./config/project-config.ts";
import { readProject, refuseUnknown } from "./config/read-project.ts";

export type TestPlatform = {
  /** Address of the interface, without a slash at its end. */
  readonly url: string;
  /** A token of this platform's identity provider. */
  readonly token: (claims: TokenClaims) => string;
  readonly stop: () => Promise<void>;
};

/**
 * Starts the project's platform for its tests: a free port, data of its own that goes with it, and the scripted model, which
 * does what directives in a message say: `[[tool:NAME {…}]]` calls a tool, `[[fail:TEXT]]` fails.
 *
 * @param options.folder  of the project; the current one when absent
 */
export async function startPlatform(
  options: { readonly folder?: string; readonly settings?: ProjectSettings } = {},
): Promise<TestPlatform> {
  const { config, registry } = await readProject(options.folder);
  refuseUnknown(options.settings, "startPlatform");
  const dataDir = mkdtempSync(join(tmpdir(), "agent-platform-test-"));
  const { model, judgeModel, embedder, ...settings } = { ...config.settings, ...config.local };
  const platform = await startLocally({
    dataDir,
    port: 0,
    registry,
    environment: { ...environmentOf({ ...settings, ...options.settings }) },
  });
  return {
    url: platform.url,
    token: platform.token,
    stop: async () => {
      await platform.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
