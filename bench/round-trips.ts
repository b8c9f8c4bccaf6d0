/**
 * Prints which calls to AWS a run makes one after the other: waiting, streamed and in the background, in a new session and in one
 * that has runs already, traced as in production. Each call takes the same time, much longer than what the platform does between
 * two of them; a call that begins when another has been answered is taken to have waited for it. A load on the machine moves
 * beginnings, but makes no call begin before another is answered. `npm run bench:trips`.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AwsCall } from "../local/aws/aws-endpoint.ts";
import { startPlatform } from "../local/platform.ts";
import { startModelWitness } from "../test/support/model-witness.ts";
import { testRegistry } from "../test/support/test-registry.ts";
import { runs } from "./background.ts";

const LATENCY_MS = 400;
/** How long the model works: longer than what runs beside it takes. */
const MODEL_MS = 5 * LATENCY_MS;
/** Nothing of a run happens later than this after its last call. */
const QUIET_MS = 4 * LATENCY_MS;

/** Times are of `performance.now()`. */
type Call = {
  readonly begins: number;
  readonly ends: number;
  readonly text: string;
  readonly endsRun: boolean;
};
type Run = {
  readonly calls: readonly Call[];
  /** When the request was sent. */
  readonly sent: number;
  readonly askedAt: number;
  readonly answeredAt: number;
  /** When its result was there: the response was whole, or the end of a background run was recorded. */
  readonly there: number;
};

const kinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  waiting: { stream: "false" },
  streamed: { stream: "true" },
  background: { stream: "false", background: "true" },
};

const dataDir = mkdtempSync(join(tmpdir(), "agent-platform-trips-"));
const model = await startModelWitness();
const platform = await startPlatform({
  registry: testRegistry,
  dataDir,
  port: 0,
  environment: { ...model.env, TRACING: "on" },
});
const authorization = `Bearer ${platform.token({ sub: "maria", scopes: ["agents:run", "agents:read"] })}`;
try {
  for (const [kind, form] of Object.entries(kinds)) {
    const session_id = randomUUID();
    // The first run of a kind loads what later ones have.
    await measured({ ...form });
    show(`${kind} run, new session`, await measured({ ...form, session_id }));
    show(`${kind} run, existing session`, await measured({ ...form, session_id }));
  }
} finally {
  await platform.stop();
  await model.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Makes a run and watches what it asks of AWS, until nothing has happened for a while. */
async function measured(form: Readonly<Record<string, string>>): Promise<Run> {
  const calls: Call[] = [];
  platform.faults.set((call) => {
    const begins = performance.now();
    if (isOfRun(call)) calls.push({ begins, ends: begins + LATENCY_MS, ...shown(call) });
    return { delayMs: LATENCY_MS };
  });
  const message = `[[sleep:${MODEL_MS}]]${randomUUID()}`;
  const sent = performance.now();
  const body = new URLSearchParams({ ...form, message });
  const answer = await fetch(`${platform.url}${runs}`, { method: "POST", headers: { authorization }, body });
  const answered = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status}: ${answered}`);
  const whole = performance.now();
  while (performance.now() - (calls.at(-1)?.begins ?? whole) < MODEL_MS + QUIET_MS) await pause(LATENCY_MS);
  platform.faults.clear();
  const times = model.times(message);
  if (!times) throw new Error("the model was not asked");
  const recorded = calls.findLast(({ endsRun }) => endsRun)?.ends ?? whole;
  return { calls, sent, ...times, there: form.background ? recorded : whole };
}

/** Timers fire meanwhile, which no run waits for. */
function isOfRun({ caller }: AwsCall): boolean {
  return /authorizer|runs|^worker/i.test(caller.label);
}

function shown({ caller, service, operation, body }: AwsCall): Pick<Call, "text" | "endsRun"> {
  const tables = [...JSON.stringify(body ?? {}).matchAll(/"TableName":"([^"]+)"/g)].map(([, name = ""]) =>
    name.replace(/^.*-data-|[0-9A-F]{8}$/g, ""),
  );
  return {
    text: `${caller.label}: ${service} ${operation}${tables.length > 0 ? ` (${tables.join(", ")})` : ""}`,
    endsRun: operation === "TransactWriteItems" && tables.includes("Runs"),
  };
}

/** How many of these calls stand in the longest row in which each began when the one before it was answered. */
function inARow(calls: readonly Call[]): number {
  let row = 0;
  let free = Number.NEGATIVE_INFINITY;
  for (const { begins, ends } of calls.toSorted((one, other) => one.ends - other.ends)) {
    if (begins < free) continue;
    row += 1;
    free = ends;
  }
  return row;
}

/** Prints a run's calls, and how many of them stand in a row before the model is asked and after it has answered. */
function show(name: string, { calls, sent, askedAt, answeredAt, there }: Run): void {
  const before = calls.filter(({ ends }) => ends <= askedAt);
  const after = calls.filter(({ begins, ends }) => begins >= answeredAt && ends <= there);
  console.log(
    `\n${name}: ${inARow(before)} in a row before the model is asked, ${inARow(after)} after it has answered`,
  );
  for (const call of calls) {
    const { begins, ends, text } = call;
    const when =
      ends <= askedAt ? "before" : begins < answeredAt ? "meanwhile" : ends <= there ? "after" : "later";
    console.log(`${String(Math.round(begins - sent)).padStart(6)} ms  ${when.padEnd(9)}  ${text}`);
  }
}
