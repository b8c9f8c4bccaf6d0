import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Platform, startPlatform as start } from "../../local/platform.ts";

export type TestPlatform = Omit<Platform, "token"> & {
  /** A token of the platform's identity provider. */
  readonly token: (sub: string, scopes: readonly string[]) => string;
  readonly adminToken: string;
  /** What the functions wrote that somebody should see: warnings, errors, and what is no log line. */
  readonly lines: readonly string[];
};

/** One key for all tests: the template carries its public half, and is synthesized anew when that changes. */
const identityDir = join(import.meta.dirname, "../../node_modules/.cache/agent-platform-tests");

type Options = {
  /** Settings, as `npm start` would find them in its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Context values of the CDK app. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Kept after the stop when given, so that another start can take it over. */
  readonly dataDir?: string;
  readonly port?: number;
  readonly concurrency?: number;
};

/** Starts the whole platform, from this project's own bundles and template, on a free port. */
export async function startPlatform(options: Options = {}): Promise<TestPlatform> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "platform-"));
  const lines: string[] = [];
  const platform = await start({
    dataDir,
    identityDir,
    port: options.port ?? 0,
    environment: options.env ?? {},
    ...(options.context && { context: options.context }),
    ...(options.concurrency !== undefined && { concurrency: options.concurrency }),
    show: (line) => lines.push(line),
  });
  const token = (sub: string, scopes: readonly string[]): string => platform.token({ sub, scopes });
  return {
    ...platform,
    token,
    adminToken: token("admin", ["platform:admin"]),
    lines,
    stop: async () => {
      await platform.stop();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
