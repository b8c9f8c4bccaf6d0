import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { getCallSites } from "node:util";
import { projectOf } from "../build/index.ts";
import type { TokenClaims } from "../local/identity.ts";
import { startPlatform as startLocally } from "../local/platform.ts";
import { StartupError } from "../local/startup-error.ts";
import { environmentOf, isSetting } from "../local/template/app-context.ts";
import { testEnvFiles, withEnvFiles } from "../local/template/tool-secrets.ts";
import { localEnvironment } from "./config/local-environment.ts";
import type { ProjectConfig, ProjectSettings } from "./config/project-config.ts";
import { readProject, refuseUnknown } from "./config/read-project.ts";

export type TestPlatform = {
  /** Address of the interface, without a slash at its end. */
  readonly url: string;
  /** A token of this platform's identity provider. */
  readonly token: (claims: TokenClaims) => string;
  readonly stop: () => Promise<void>;
};

export type TestOptions = {
  /** Of the project; the current one when absent. */
  readonly folder?: string;
  /** Over those of the config: `{ maxAttempts: 1 }`. */
  readonly settings?: ProjectSettings;
  /** `provider:name` of the model that agents without one of their own call; the scripted one when absent. */
  readonly model?: string;
  /** Values of tools' secrets: `{ CRM_KEY: "test" }`. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Further variables, such as a provider's key; over the environment and the files. */
  readonly env?: Readonly<Record<string, string>>;
};

/**
 * Starts the project's platform for its tests: a free port, data of its own that goes with it, and the scripted model, which
 * does what directives in a message say: `[[tool:NAME {…}]]` calls a tool, `[[fail:TEXT]]` fails.
 *
 * Keys and secrets come from `secrets`, `env`, the environment, `.env.test` and `.env`, in this order. Settings of the
 * environment do not count: a test does the same on every machine.
 *
 * @throws StartupError that names the test's file and each secret that a tool needs and that is nowhere; UsageError for a
 *         setting that is not known
 */
export async function startPlatform(options: TestOptions = {}): Promise<TestPlatform> {
  const caller = callingFile();
  const { config, registry } = await readProject(options.folder);
  refuseUnknown(options.settings, "startPlatform");
  const dataDir = mkdtempSync(join(tmpdir(), "agent-platform-test-"));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    const platform = await startLocally({
      dataDir,
      port: 0,
      registry,
      timersFirstFire: "at the rate",
      show: (line) => console.error(line),
      environment: testEnvironment(config, projectOf({ registry }).home, options),
    });
    return {
      url: platform.url,
      token: platform.token,
      stop: async () => {
        await platform.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    if (!(error instanceof StartupError)) throw error;
    throw new StartupError(
      `${caller}: ${error.message}\nA test may also give it: startPlatform({ secrets: { … } }), or .env.test.`,
    );
  }
}

function testEnvironment(
  config: ProjectConfig,
  home: string,
  { settings = {}, model, env, secrets }: TestOptions,
): Record<string, string | undefined> {
  const { MODEL, JUDGE_MODEL, EMBEDDER, ...declared } = localEnvironment(config);
  const keys = Object.entries(process.env).filter(([name]) => !isSetting(name));
  return {
    ...withEnvFiles({ ...Object.fromEntries(keys), ...env, ...secrets }, home, testEnvFiles),
    ...declared,
    ...environmentOf(settings),
    ...env,
    ...(model !== undefined && { MODEL: model }),
  };
}

/** The file whose code called this module, as seen from the current folder. */
function callingFile(): string {
  const names = getCallSites({ sourceMap: true }).map(({ scriptName }) => scriptName);
  const caller = names.find((name) => name !== import.meta.url && name !== import.meta.filename);
  if (caller === undefined) return "startPlatform";
  return relative(process.cwd(), caller.startsWith("file:") ? fileURLToPath(caller) : caller);
}
