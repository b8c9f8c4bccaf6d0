import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "../client/index.ts";
import { freePort } from "../local/machine/free-port.ts";
import { furnish, PLACES } from "../test/upgrade/furnish.ts";
import { recordingOf, writeRecording } from "../test/upgrade/recording.ts";

/*
 * Records what a release leaves in its stores when it is killed at work, for the tests of later releases. To be run once
 * for each release, with a checkout of it in which `npm ci` has run:
 *
 *   npm run record:release -- <folder of the checkout>
 */
const [root] = process.argv.slice(2);
if (root === undefined) throw new Error("Which release? Name the folder of its checkout.");
const release: string = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
const dataDir = mkdtempSync(join(tmpdir(), "agent-platform-release-"));
const port = await freePort();
const env = {
  ...process.env,
  DATA_DIR: dataDir,
  PORT: String(port),
  TRACING: "off",
  // What waits for a person waits until the recording is read, years later.
  PAUSE_LIFE_SECONDS: "0",
  WORKER_CONCURRENCY: String(PLACES),
  WORKER_BATCH_SIZE: "1",
  // Since 0.2.0 a user has half of the places.
  MAX_RUNNING_PER_USER: String(PLACES),
};
// Since 0.2.0 the tests have agents of their own.
const registry = join("test", "support", "registry", "index.ts");
const more = existsSync(join(root, registry)) ? ["--registry", registry] : [];
const child = spawn(process.execPath, ["local/main.ts", ...more], {
  ...{ cwd: resolve(root), env },
  stdio: "ignore",
});
try {
  const baseUrl = `http://127.0.0.1:${port}`;
  await untilHealthy(baseUrl, child);
  const client = (sub: string, scopes: string) =>
    createClient({ baseUrl, token: tokenOf(sub, scopes), retries: false });
  const admin = client("admin", "platform:admin");
  const maria = client(
    "maria",
    "agents:read agents:run teams:read teams:run workflows:read workflows:run sessions:read schedules:read " +
      "schedules:write memories:read memories:write",
  );
  const made = await furnish({ admin, maria });
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  writeRecording(await recordingOf(dataDir, release, made));
  console.log(`recorded ${release}`);
} finally {
  child.kill("SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
}

function tokenOf(sub: string, scopes: string): string {
  const args = ["scripts/token.ts", "--sub", sub, "--scopes", scopes];
  return execFileSync(process.execPath, args, { cwd: resolve(root ?? ""), env, encoding: "utf8" }).trim();
}

async function untilHealthy(url: string, platform: ChildProcess): Promise<void> {
  for (const end = Date.now() + 120_000; Date.now() < end; await pause(100)) {
    if (platform.exitCode !== null) throw new Error(`the release ended with ${platform.exitCode}`);
    const answer = await fetch(`${url}/health`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error("the release did not start within two minutes");
}
