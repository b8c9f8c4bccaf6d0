/**
 * Runs the official conformance kits of the agent-to-agent protocol against a platform of its own: `A2A_TCK=<folders>
 * npm run conformance:a2a`, the folders separated by `:`. `A2A_CLIENT_PYTHON` may name a Python with `agno`, whose client
 * is then run through the envelope dialect. Exits with an error when a test fails that is not expected to.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startPlatform } from "../../test/support/platform.ts";
import { reasonToFail } from "./expected-failures.ts";
import { HOW_TO_GET_ONE, type Kit, type KitRun, kitIn } from "./kit.ts";
import { startConformanceProxy } from "./proxy.ts";
import { type KitResult, runKit } from "./run-kit.ts";
import { TESTED_AGENT } from "./steering.ts";
import { startWebhookRelay } from "./webhook-relay.ts";

const { A2A_TCK = "", A2A_CLIENT_PYTHON } = process.env;
const kits = A2A_TCK.split(":")
  .filter((folder) => folder !== "")
  .map(kitIn);
if (kits.length === 0 && !A2A_CLIENT_PYTHON) {
  console.error(HOW_TO_GET_ONE);
  process.exit(2);
}

const relay = await startWebhookRelay();
const platform = await startPlatform({ env: { FETCH_ALLOWED_HOSTS: relay.host } });
const token = platform.token("conformance", ["agents:read", "agents:run"]);
const rootOf = (agent: string): string => `${platform.url}/a2a/agents/${agent}`;
try {
  const failures: number[] = [];
  for (const kit of kits) {
    for (const run of kit.runs) failures.push(report(kit, run, await runThroughProxy(kit, run)));
  }
  if (A2A_CLIENT_PYTHON) failures.push(await driveClient(A2A_CLIENT_PYTHON));
  process.exitCode = failures.every((count) => count === 0) ? 0 : 1;
} finally {
  await platform.stop();
  await relay.stop();
}

async function runThroughProxy(kit: Kit, run: KitRun): Promise<KitResult> {
  const { version } = kit;
  const { redirected } = relay;
  const proxy = await startConformanceProxy({ root: rootOf(TESTED_AGENT), token, version, redirected });
  try {
    return await runKit(kit, run, proxy.address);
  } finally {
    await proxy.stop();
  }
}

/** @returns the number of tests that failed unexpectedly */
function report(
  { version }: Kit,
  { binding }: KitRun,
  { passed, failed, skipped, skips, notFollowed }: KitResult,
): number {
  const judged = failed.map((one) => ({ ...one, reason: reasonToFail(one.id, binding) }));
  const unexpected = judged.filter(({ reason }) => reason === undefined);
  console.log(
    `\nkit of version ${version}, ${binding}: ${passed} passed, ${failed.length} failed, ${skipped} skipped, ${notFollowed} recommendations not followed`,
  );
  for (const { id, reason } of judged) if (reason !== undefined) console.log(`  expected: ${id}: ${reason}`);
  for (const { id, why } of unexpected) console.log(`  FAILED ${id}: ${why}`);
  for (const { count, why } of skips) console.log(`  skipped: ${count}: ${why}`);
  return unexpected.length;
}

/** @returns the number of failed checks */
async function driveClient(python: string): Promise<number> {
  const script = join(import.meta.dirname, "envelope-client.py");
  try {
    const { stdout } = await promisify(execFile)(python, [script, rootOf("assistant"), token]);
    console.log(`\nclient of AgentOS: ${stdout.trim()}`);
    return 0;
  } catch (error) {
    console.log(`\nFAILED client of AgentOS: ${error instanceof Error ? error.message : error}`);
    return 1;
  }
}
