import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createClient } from "../../../client/index.ts";
import "../../support/bundled.ts";
import { temporaryFolder } from "../../local/fixture-cloud.ts";
import { testRegistry } from "../../support/test-registry.ts";

/** The platform as `npm start` runs it, in a process of its own that a test may kill. */
const root = join(import.meta.dirname, "../../..");
const dataDir = temporaryFolder();
const env = { ...process.env, DATA_DIR: dataDir, PORT: "0" };
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(more: Readonly<Record<string, string>> = {}) {
  const args = ["local/main.ts", "--registry", testRegistry];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...env, ...more } });
  running.add(child);
  let output = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    if (output.includes("Stop with")) break;
  }
  /** The link to the console that was printed last, once it is another one than `before`. */
  const linkAfter = async (before: string | undefined): Promise<string> => {
    const found = () => [...output.matchAll(/Console\s+(\S+)/g)].at(-1)?.[1];
    await expect.poll(found).not.toBe(before);
    return found() ?? "";
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const ended = once(child, "exit");
    child.kill(signal);
    const [code]: unknown[] = await ended;
    running.delete(child);
    return typeof code === "number" ? code : null;
  };
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  return { output, url: /Address\s+(\S+)/.exec(output)?.[1] ?? "", linkAfter, end };
}

test("what is printed works when it is pasted, and a stop is clean and quick", async () => {
  const { output, end } = await start();
  const command = output.split("\n").find((line) => line.startsWith("curl ")) ?? "";
  const answer: { status: string } = JSON.parse(
    execFileSync("/bin/sh", ["-c", command], { encoding: "utf8" }),
  );
  expect(answer.status).toBe("COMPLETED");
  const asked = Date.now();
  expect(await end("SIGTERM")).toBe(0);
  expect(Date.now() - asked).toBeLessThan(8000);
}, 180_000);

test("the printed link signs in to the console once, and then another one is printed", async () => {
  const { url, linkAfter, end } = await start();
  const signIn = async (link: string): Promise<number> => {
    expect(link.startsWith(`${url}/console#link=`)).toBe(true);
    const body = JSON.stringify({ code: link.split("#link=")[1] });
    const headers = { origin: url };
    return (await fetch(`${url}/console/sign-in`, { method: "POST", headers, body })).status;
  };
  const first = await linkAfter(undefined);
  expect(await signIn(first)).toBe(200);
  const second = await linkAfter(first);
  expect([await signIn(first), await signIn(second)]).toEqual([403, 200]);
  await end("SIGTERM");
}, 180_000);

test("the printed token is an admin's also where the admin scope is another", async () => {
  const { output, url, end } = await start({ ADMIN_SCOPE: "platform:shop:admin" });
  const token = /Admin token\s+(\S+)/.exec(output)?.[1];
  const asked = await fetch(`${url}/queue/stats`, { headers: { authorization: `Bearer ${token}` } });
  expect(asked.status).toBe(200);
  await end("SIGTERM");
}, 180_000);

test("a token made beside it is accepted, and what was answered 202 is run after kill -9", async () => {
  const token = execFileSync(
    process.execPath,
    ["scripts/token.ts", "--sub", "maria", "--scopes", "agents:run agents:read sessions:read"],
    { cwd: root, env, encoding: "utf8" },
  ).trim();
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  const path = { agent_id: "assistant" };

  const first = await start();
  const accepted = await createClient({ baseUrl: first.url, token }).createAgentRun({
    path,
    body: { message: "Hi", background: true },
  });
  await first.end("SIGKILL");
  const { run_id, session_id, status } = accepted;
  expect(status).toBe("PENDING");

  const second = await start();
  const client = createClient({ baseUrl: second.url, token });
  const statusOf = async () => {
    const run = await client.getAgentRun({ path: { ...path, run_id }, query: { session_id } });
    return run.status;
  };
  // Whatever the kill hit: it was run, or waits for the lock grace of the dead worker; it is never lost.
  await expect.poll(statusOf).toMatch(/COMPLETED|RUNNING/);
  await second.end("SIGTERM");
}, 180_000);
