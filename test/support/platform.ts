import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "../../build/bundles/build.ts";
import { openIdentity } from "../../local/identity.ts";
import { type Platform, startPlatform as start } from "../../local/platform.ts";
import { warmSynthesizer } from "../../local/template/synthesize.ts";
import "./bundled.ts";
import { specialRegistry, specialSecrets, testProject, testRegistry } from "./test-registry.ts";

export type TestPlatform = Omit<Platform, "token"> & {
  /** A token of the platform's identity provider. */
  readonly token: (sub: string, scopes: readonly string[]) => string;
  readonly adminToken: string;
  /** What the functions wrote that the developer should see: warnings, errors, and what is no log line. */
  readonly lines: readonly string[];
  /** @throws when a token that was issued is in what the functions wrote */
  readonly refuseLeaks: () => void;
};

/** A platform that another process stops. */
export type RunningPlatform = Omit<TestPlatform, "stop">;

/** One key for all tests: the template carries its public half, and is synthesized anew when that changes. */
const identityDir = join(import.meta.dirname, "../../node_modules/.cache/agent-platform-tests");

/** The bundles are made and the sources read once in a process, not once for each platform. */
const synthesizer = warmSynthesizer();

/** A token of the same identity provider that expired an hour ago. */
export const expiredToken = (sub: string, scopes: readonly string[]): string =>
  openIdentity(identityDir).token({ sub, scopes, hours: -1 });

/** A token that is known before a platform starts, as a secret of its settings; of the same identity provider. */
export const tokenOf = (sub: string, scopes: readonly string[]): string =>
  openIdentity(identityDir).token({ sub, scopes, hours: 1 });

/** That identity provider as a setting names it, for a platform that accepts tokens of others too. */
export const localIssuer = (): object => openIdentity(identityDir).issuer;

type Options = {
  /** Settings, as `npm start` would find them in its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** File that exports the `registry` that this platform hosts; that of the tests when absent. */
  readonly registry?: string;
  /** Functions that a test of another registry never invokes: each with the registry in it takes seconds to bundle. */
  readonly without?: readonly string[];
  /** Context values of the CDK app. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Kept after the stop when given, so that another start can take it over. */
  readonly dataDir?: string;
  readonly port?: number;
  readonly concurrency?: number;
  /** Invocations that one thread serves at a time. */
  readonly perThread?: number;
  /** Folder of sources that are reloaded when they are edited; called with what was. */
  readonly watch?: { readonly sources: string; readonly reloaded: (line: string) => void };
};

/** Starts the whole platform, from this project's template and the tests' bundles, on a free port. */
export async function startPlatform(options: Options = {}): Promise<TestPlatform> {
  const isNew = options.dataDir === undefined;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "platform-"));
  const lines: string[] = [];
  const { registry = testRegistry, without = [] } = options;
  // Their packages stay where they are: that is bundled in a fifth of the time. Bundles as they are deployed are those of the others.
  if (registry !== testRegistry)
    await ensureBuilt({ registry, lender: testProject, without, packages: "external" });
  const platform = await start({
    registry,
    dataDir,
    identityDir,
    port: options.port ?? 0,
    // Traced runs write more; tests that count writes are most. With `TRACING: ""` it is as `npm start` has it.
    environment: { TRACING: "off", ...(registry === specialRegistry && specialSecrets), ...options.env },
    ...(options.context && { context: options.context }),
    ...(options.concurrency !== undefined && { concurrency: options.concurrency }),
    ...(options.perThread !== undefined && { perThread: options.perThread }),
    // Where sources are edited, it finds out by itself what has changed, as `npm start` does.
    ...(options.watch ?? { synthesizer }),
    // What the sweeper and the reconciler do at a start, they do to what an earlier platform has left.
    timersFirstFire: isNew ? "at the rate" : "at once",
    show: (line) => lines.push(line),
  });
  const issued = new Set<string>();
  const token = (sub: string, scopes: readonly string[]): string => {
    const made = platform.token({ sub, scopes });
    issued.add(made);
    return made;
  };
  const refuseLeaks = () =>
    refuseLeaksIn(join(dataDir, "functions.log"), [...issued].map(signatureOf), edgeSecrets(dataDir));
  return {
    ...platform,
    token,
    adminToken: token("admin", [platform.adminScope]),
    lines,
    refuseLeaks,
    stop: async () => {
      await platform.stop();
      refuseLeaks();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A service account's token, whole enough to be used; its first 16 characters may be shown. */
const SERVICE_ACCOUNT_TOKEN = /plat_pat_[0-9A-Za-z]{20,}/;

/** The last part of a JWT is what makes it a credential. */
const signatureOf = (token: string): string => token.slice(token.lastIndexOf(".") + 1);

/** The values with which CloudFront proves itself. */
function edgeSecrets(dataDir: string): string[] {
  const file = join(dataDir, "secrets", "agent-platform-local-edge-local");
  return existsSync(file) ? Object.values<string>(JSON.parse(readFileSync(file, "utf8"))) : [];
}

/** Looks through everything that the functions of this platform wrote, so that the whole suite watches the logs. */
function refuseLeaksIn(file: string, ...credentials: readonly (readonly string[])[]): void {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const leaked = credentials.flat().some((credential) => text.includes(credential));
  if (leaked || SERVICE_ACCOUNT_TOKEN.test(text)) throw new Error(`a token is in the log of ${file}`);
}
