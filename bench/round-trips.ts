/**
 * Prints which calls to AWS a run makes one after the other: waiting, streamed and in the background. Each call is
 * delayed by the same time, so that calls which wait for each other begin in different waves, and calls side by side in
 * one. `npm run bench:trips`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AwsCall } from "../local/aws/aws-endpoint.ts";
import { type Platform, startPlatform } from "../local/platform.ts";
import { testRegistry } from "../test/support/test-registry.ts";
import { runs } from "./background.ts";

/** Much longer than what the platform does between two calls. */
const LATENCY_MS = 200;
/** A wave that begins later than this after the one before does not wait for it alone. */
const GAP_MS = 1.75 * LATENCY_MS;
/** How long the scripted model works. */
const MODEL_MS = 3_000;
/** Nothing of a run happens later than this after its last call. */
const QUIET_MS = 1_500;

type Call = { readonly atMs: number; readonly text: string };
/** Calls that began before any of them was answered. */
type Wave = { readonly atMs: number; readonly calls: readonly Call[] };

const kinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  waiting: { stream: "false" },
  streamed: { stream: "true" },
  background: { stream: "false", background: "true" },
};

const dataDir = mkdtempSync(join(tmpdir(), "agent-platform-trips-"));
const platform = await startPlatform({
  registry: testRegistry,
  dataDir,
  port: 0,
  environment: { TRACING: "off" },
});
try {
  const authorization = `Bearer ${platform.token({ sub: "maria", scopes: ["agents:run", "agents:read"] })}`;
  for (const [kind, form] of Object.entries(kinds)) {
    // The first run of a kind loads what later ones have.
    await callsOf(platform, authorization, { ...form, message: "hi" });
    show(
      kind,
      wavesOf(await callsOf(platform, authorization, { ...form, message: `[[sleep:${MODEL_MS}]]hi` })),
    );
  }
} finally {
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Makes a run and returns what it asked of AWS, in order of its beginning, until nothing has happened for a while. */
async function callsOf(
  { url, faults }: Platform,
  authorization: string,
  form: Readonly<Record<string, string>>,
): Promise<readonly Call[]> {
  const calls: Call[] = [];
  faults.set((call) => {
    if (isOfRun(call)) calls.push({ atMs: performance.now(), text: textOf(call) });
    return { delayMs: LATENCY_MS };
  });
  const body = new URLSearchParams(form);
  const answer = await fetch(`${url}${runs}`, { method: "POST", headers: { authorization }, body });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  await answer.text();
  let last = performance.now();
  let seen = calls.length;
  while (performance.now() - last < QUIET_MS + MODEL_MS) {
    await pause(LATENCY_MS);
    if (calls.length > seen) last = performance.now();
    seen = calls.length;
  }
  faults.clear();
  return calls;
}

/** Timers fire meanwhile, which no run waits for. */
function isOfRun({ caller }: AwsCall): boolean {
  return /authorizer|runs|^worker/i.test(caller.label);
}

function textOf({ caller, service, operation, body }: AwsCall): string {
  const tables = [...JSON.stringify(body ?? {}).matchAll(/"TableName":"([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  const named = tables.map((name) => name.replace(/^.*-data-|[0-9A-F]{8}$/g, ""));
  return `${caller.label}: ${service} ${operation}${named.length > 0 ? ` (${named.join(", ")})` : ""}`;
}

function wavesOf(calls: readonly Call[]): Wave[] {
  const waves: { atMs: number; calls: Call[] }[] = [];
  for (const call of calls) {
    const current = waves.at(-1);
    if (current && call.atMs < current.atMs + LATENCY_MS) current.calls.push(call);
    else waves.push({ atMs: call.atMs, calls: [call] });
  }
  return waves;
}

/** Prints a run's waves, and how many stand in a row before the model is asked and after it has answered. */
function show(kind: string, waves: readonly Wave[]): void {
  const first = waves[0]?.atMs ?? 0;
  const asked = waves.findIndex(
    ({ atMs }, i) => (waves[i + 1]?.atMs ?? Number.POSITIVE_INFINITY) - atMs > GAP_MS,
  );
  const answeredAt = (waves[asked]?.atMs ?? 0) + LATENCY_MS + MODEL_MS;
  const after = waves.filter(({ atMs }) => atMs >= answeredAt).length;
  console.log(
    `\n${kind} run: ${asked + 1} in a row before the model is asked, ${after} after it has answered`,
  );
  for (const [i, { atMs, calls }] of waves.entries()) {
    const when = i <= asked ? `${i + 1}.` : atMs < answeredAt ? "meanwhile" : "after";
    const at = `${String(Math.round(atMs - first)).padStart(6)} ms  ${when.padEnd(9)}`;
    for (const [n, { text }] of calls.entries())
      console.log(`${n === 0 ? at : " ".repeat(at.length)}  ${text}`);
  }
}
