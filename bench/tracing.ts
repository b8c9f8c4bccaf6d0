/**
 * What tracing costs a waiting run: two platforms, one with tracing and one without, are asked in turns, so that a change of the
 * machine's load meets both. Prints processor time a run and the time of a lone client. `npm run bench:tracing`.
 */
import { setTimeout as pause } from "node:timers/promises";
import { runs } from "./background.ts";
import { figuresOf, ms, printTable, type Row, runConcurrently } from "./figures.ts";
import { platformUsage } from "./process-usage.ts";
import { expectStatus, startTarget, type Target } from "./target.ts";

const ROUNDS = 8;
const RUNS = 150;
const CLIENTS = 16;
/** After its start the platform compiles and tidies up for a while. */
const REST_MS = 3_000;

type Measured = { readonly target: Target; readonly timesMs: number[]; own: number; database: number };

const kinds = ["on", "off"] as const;
const started = await Promise.all(kinds.map((TRACING) => startTarget({ TRACING })));
try {
  await pause(REST_MS);
  const measured = started.map((target): Measured => ({ target, timesMs: [], own: 0, database: 0 }));
  for (const { target } of measured) await askRuns(target, CLIENTS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const one of round % 2 === 0 ? measured : measured.toReversed()) await measure(one);
  }
  printTable(kinds.flatMap((kind, i) => rowsOf(kind, measured[i])));
} finally {
  await Promise.all(started.map((target) => target.stop()));
}

async function measure(one: Measured): Promise<void> {
  const before = platformUsage(one.target.pid);
  one.timesMs.push(...(await askRuns(one.target, 1)));
  await askRuns(one.target, CLIENTS);
  const after = platformUsage(one.target.pid);
  if (!before || !after) return;
  one.own += after.own.cpuMs - before.own.cpuMs;
  one.database += after.database.cpuMs - before.database.cpuMs;
}

async function askRuns(to: Target, clients: number): Promise<readonly number[]> {
  const { timesMs } = await runConcurrently(RUNS, clients, async () => {
    await expectStatus(to, 200, "POST", runs, { message: "hi", stream: "false" });
  });
  return timesMs;
}

function rowsOf(kind: string, one: Measured | undefined): Row[] {
  if (!one) return [];
  const ofOne = (cpuMs: number) => ms(cpuMs / (ROUNDS * RUNS * 2));
  return [
    { what: `tracing ${kind}: waiting run, one client`, figure: ms(figuresOf(one.timesMs).p50) },
    { what: `tracing ${kind}: processor time of one, functions and front`, figure: ofOne(one.own) },
    { what: `tracing ${kind}: processor time of one, database`, figure: ofOne(one.database) },
  ];
}
