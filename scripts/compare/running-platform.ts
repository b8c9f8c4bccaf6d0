import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startOrderedDynamo } from "./ordered-dynamo.ts";
import { plainEnvironment } from "./plain-environment.ts";
import { endGroup, killGroup } from "./process-group.ts";
import { createTokenIssuer, type TokenIssuer } from "./token-issuer.ts";

/** The platform of a side, started by its own `npm start` with the registry of its tests, and used over HTTP. */
export type RunningPlatform = {
  readonly url: string;
  /** Address of the database with its tables. */
  readonly dynamoEndpoint: string;
  readonly tokens: TokenIssuer;
  readonly stop: () => Promise<void>;
};

const READY_WITHIN_MS = 300_000;

/**
 * @param folder   top of the side's sources
 * @param dataDir  an empty folder
 * @throws Error with the platform's output when it does not start
 */
export async function startRunningPlatform(
  folder: string,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<RunningPlatform> {
  await using started = new AsyncDisposableStack();
  const keySet = `${dataDir}-keys.json`;
  const tokens = createTokenIssuer(keySet);
  const dynamo = await startOrderedDynamo();
  started.defer(dynamo.stop);
  const registry = join(folder, "test/support/registry/index.ts");
  const child = spawn("npm", ["start", ...(existsSync(registry) ? ["--", "--registry", registry] : [])], {
    cwd: folder,
    env: plainEnvironment(folder, {
      ...settings,
      PORT: "0",
      DATA_DIR: dataDir,
      JWT_JWKS_FILE: keySet,
      DYNAMODB_ENDPOINT: dynamo.endpoint,
    }),
    stdio: ["ignore", "pipe", "pipe"],
    // A process group of its own: npm does not forward signals to its children.
    detached: true,
  });
  started.defer(() => endGroup(child));
  // However this process ends, the platform must not keep running.
  process.once("exit", () => killGroup(child));
  const url = await addressOf(child);
  const running = started.move();
  return { url, dynamoEndpoint: dynamo.engineEndpoint, tokens, stop: () => running.disposeAsync() };
}

/** The address that it prints once it is ready. */
async function addressOf(child: ChildProcess): Promise<string> {
  let output = "";
  const append = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout?.on("data", append);
  child.stderr?.on("data", append);
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until; await pause(50)) {
    const [, url] = /^Address\s+(http:\S+)/m.exec(output) ?? [];
    if (url) return url;
    if (child.exitCode !== null) break;
  }
  throw new Error(`the platform does not start:\n${output}`);
}
