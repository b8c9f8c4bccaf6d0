import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ensureBuilt } from "../build/bundles/index.ts";
import { freePort } from "../local/machine/free-port.ts";
import manifest from "../package.json" with { type: "json" };
import { testRegistry } from "../test/support/test-registry.ts";

export type Answer = { readonly status: number; readonly body: string };

/** A platform in a process of its own, started like a user's with the registry of the tests, and a client for it. */
export type Target = {
  /** Time from the start of the process to the first answer of `/health`. */
  readonly startMs: number;
  readonly pid: number;
  readonly send: (
    method: string,
    path: string,
    form?: Readonly<Record<string, string>>,
    onChunk?: (text: string) => void,
  ) => Promise<Answer>;
  /** The same platform for another user, who may run agents. */
  readonly as: (user: string) => Promise<Target["send"]>;
  readonly stop: () => Promise<void>;
};

const root = join(import.meta.dirname, "..");
/** What `npm start` gives Node. */
const [, ...npmStart] = manifest.scripts.start.split(" ");
const READY_WITHIN_MS = 60_000;

/** @param registry  file with the registry; that of the tests when absent */
export async function startTarget(
  env: Readonly<Record<string, string>> = {},
  registry: string = testRegistry,
): Promise<Target> {
  // A first build takes longer than a start may, and is no part of it.
  await ensureBuilt({ registry });
  const dataDir = mkdtempSync(join(tmpdir(), "agent-platform-bench-"));
  const port = await freePort();
  // One principal sends everything here.
  const settings = {
    REQUESTS_PER_MINUTE: "0",
    MAX_FOREGROUND_PER_USER: "64",
    ...process.env,
    ...env,
    PORT: String(port),
    DATA_DIR: dataDir,
  };
  const startedAt = performance.now();
  const args = [...npmStart, "--registry", registry];
  const child = spawn(process.execPath, args, { cwd: root, env: settings, stdio: "ignore" });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const send = sender(agent, port, "");
  await untilHealthy(send, child);
  const startMs = performance.now() - startedAt;
  const token = await mintToken(settings, "bench", "platform:admin");
  return {
    startMs,
    pid: child.pid ?? 0,
    send: sender(agent, port, token),
    as: async (user) => sender(agent, port, await mintToken(settings, user, "agents:run agents:read")),
    async stop() {
      agent.destroy();
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Sends a request, and throws if the answer has another status. */
export async function expectStatus(
  to: Pick<Target, "send">,
  status: number,
  ...request: Parameters<Target["send"]>
): Promise<Answer> {
  const answer = await to.send(...request);
  if (answer.status !== status) {
    throw new Error(`${request[1]}: ${answer.status} ${answer.body.slice(0, 200)}`);
  }
  return answer;
}

async function untilHealthy(send: Target["send"], child: ChildProcess): Promise<void> {
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until; await pause(5)) {
    if (child.exitCode !== null)
      throw new Error(`the platform ended with ${child.exitCode} while it started`);
    const answer = await send("GET", "/health").catch(() => undefined);
    if (answer?.status === 200) return;
  }
  child.kill("SIGKILL");
  throw new Error("the platform did not answer in time");
}

function mintToken(env: NodeJS.ProcessEnv, user: string, scopes: string): Promise<string> {
  const args = ["scripts/token.ts", "--sub", user, "--scopes", scopes];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve(text.trim()) : reject(new Error("no token"))));
  });
}

function sender(agent: Agent, port: number, token: string): Target["send"] {
  return (method, path, form, onChunk) =>
    new Promise((resolve, reject) => {
      const body = form ? new URLSearchParams(form).toString() : "";
      const headers = {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(form && { "content-type": "application/x-www-form-urlencoded" }),
        "content-length": Buffer.byteLength(body),
      };
      const out = request({ host: "127.0.0.1", port, agent, method, path, headers }, (answer) => {
        let text = "";
        answer.on("data", (chunk: Buffer) => {
          text += chunk.toString();
          onChunk?.(text);
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: text }));
        answer.on("error", reject);
      });
      out.on("error", reject);
      out.end(body);
    });
}
