import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ensureBuilt } from "../../build/bundles/build.ts";
import { openIdentity } from "../../local/identity.ts";
import { freePort } from "../../local/machine/free-port.ts";
import "./bundled.ts";
import { type Client, clientOf } from "./client.ts";
import { HANGS_AFTER_MS } from "./hangs-after.ts";
import { tokenOf } from "./platform.ts";
import { specialRegistry, testProject, testRegistry, withoutOnKills } from "./test-registry.ts";

export type KillablePlatform = {
  /** Its data, which outlives every process and goes at the end. */
  readonly dataDir: string;
  /** A user's and an operator's view; both survive the process. */
  readonly maria: Client;
  readonly admin: Client;
  readonly url: string;
  readonly token: typeof tokenOf;
  /** Of the process that runs now. */
  readonly pid: () => number | undefined;
  /** Starts a process over the same data. @returns milliseconds until it answered */
  readonly start: () => Promise<number>;
  /** `kill -9`. @returns once the process is gone */
  readonly kill: () => Promise<void>;
  /** Kills what still runs and removes the data. */
  readonly end: () => Promise<void>;
};

const root = join(import.meta.dirname, "../..");

/**
 * The platform as `npm start` runs it: a process of its own, on a data folder that outlives it.
 *
 * @param hosts     with `special`, the registry of what single tests host
 * @param execArgv  options of Node
 */
export async function killablePlatform(
  env: Readonly<Record<string, string>>,
  hosts: "tests" | "special" = "tests",
  execArgv: readonly string[] = [],
): Promise<KillablePlatform> {
  // Here, since the process has a limit of time in which it has to answer.
  if (hosts === "special")
    await ensureBuilt({
      registry: specialRegistry,
      lender: testProject,
      without: withoutOnKills,
      packages: "external",
    });
  const dataDir = mkdtempSync(join(tmpdir(), "platform-kill-"));
  const port = await freePort();
  const tokenFor = hosts === "special" ? tokenOf : ownTokens(dataDir);
  const url = `http://127.0.0.1:${port}`;
  const program =
    hosts === "special"
      ? ["test/support/special-process.ts", dataDir, String(port)]
      : ["local/main.ts", "--registry", testRegistry];
  let child: ChildProcess | undefined;

  const start = async () => {
    const from = performance.now();
    child = spawn(process.execPath, [...execArgv, ...program], {
      cwd: root,
      env: { ...process.env, ...env, PORT: String(port), DATA_DIR: dataDir },
      stdio: ["ignore", "ignore", "pipe"],
      // A group of its own, so that nothing of it is left behind when the test fails.
      detached: true,
    });
    await untilHealthy(url, child);
    return performance.now() - from;
  };
  const kill = async () => {
    if (!child) return;
    const dying = child;
    child = undefined;
    if (dying.exitCode === null && dying.signalCode === null) {
      const gone = new Promise((resolve) => dying.once("exit", resolve));
      dying.kill("SIGKILL");
      await gone;
    }
  };
  return {
    dataDir,
    url,
    pid: () => child?.pid,
    token: tokenFor,
    maria: clientOf(url, tokenFor("maria", ["agents:read", "agents:run"])),
    admin: clientOf(url, tokenFor("admin", ["platform:admin"])),
    start,
    kill,
    end: async () => {
      const group = child?.pid;
      await kill();
      if (group !== undefined) killGroup(group);
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function ownTokens(dataDir: string): typeof tokenOf {
  const identity = openIdentity(dataDir);
  return (sub, scopes) => identity.token({ sub, scopes });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // Nothing of the group is left, as it should be.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function untilHealthy(url: string, child: ChildProcess): Promise<void> {
  let said = "";
  child.stderr?.on("data", (text: Buffer) => {
    said = (said + text.toString()).slice(-2_000);
  });
  for (const until = Date.now() + HANGS_AFTER_MS; Date.now() < until; await pause(20)) {
    if (child.exitCode !== null) throw new Error(`the platform ended while it started: ${said}`);
    const answer = await fetch(`${url}/health`).catch(() => undefined);
    if (answer?.status === 200) return;
  }
  throw new Error(`the platform did not answer in time: ${said}`);
}
