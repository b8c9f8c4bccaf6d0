/**
 * What runs cost in time, processor and memory on this machine: waiting, streamed and in the background, one client and
 * sixteen, over HTTP against a platform in its own process. `npm run bench`.
 */
import { setTimeout as pause } from "node:timers/promises";
import { drained, runs, submit } from "./background.ts";
import { figuresOf, ms, printTable, type Row, runConcurrently } from "./figures.ts";
import { platformUsage, watchMemory } from "./process-usage.ts";
import { expectStatus, startTarget, type Target } from "./target.ts";

const CLIENTS = 16;
const BURST = 500;
/** After its start the platform compiles and tidies up for a while. */
const REST_MS = 3000;

const target = await startTarget({ MAX_QUEUE_DEPTH: "0" });
try {
  await pause(REST_MS);
  const atRest = platformUsage(target.pid)?.own.memoryMb;
  const watched = watchMemory(target.pid);
  await warmUp(target);
  const rows = [
    { what: "start to first answer, bundles built", figure: ms(target.startMs), goal: "≤ 1200 ms" },
    ...(await reads(target)),
    ...(await waiting(target)),
    ...(await streamed(target)),
    ...(await inBackground(target)),
  ];
  const { memoryMb, threads } = watched.stop();
  await pause(REST_MS);
  const after = platformUsage(target.pid)?.own.memoryMb;
  printTable([
    ...rows,
    { what: "memory at rest", figure: mb(atRest), goal: "≤ 200 MB" },
    { what: "memory after the runs above", figure: mb(after), goal: "≤ 350 MB" },
    { what: "memory at worst", figure: mb(memoryMb), goal: "≤ 450 MB" },
    { what: "threads at worst, Node's own among them", figure: String(threads) },
  ]);
} finally {
  await target.stop();
}

function mb(value: number | undefined): string {
  return value === undefined ? "–" : `${value.toFixed(0)} MB`;
}

async function warmUp(to: Target): Promise<void> {
  await runConcurrently(60, CLIENTS, async () => {
    await expectStatus(to, 200, "POST", runs, { message: "hi", stream: "false" });
    await expectStatus(to, 200, "GET", "/agents");
    await submit(to);
  });
  await drained(to);
}

async function reads(to: Target): Promise<Row[]> {
  const work = async () => void (await expectStatus(to, 200, "GET", "/agents"));
  const one = await runConcurrently(300, 1, work);
  const many = await runConcurrently(2000, CLIENTS, work);
  return [
    { what: "GET /agents, one client", figure: ms(figuresOf(one.timesMs).p50), goal: "≤ 1.5 ms" },
    { what: "GET /agents, 16 clients", figure: `${many.perSecond.toFixed(0)} /s`, goal: "≥ 1500 /s" },
  ];
}

async function waiting(to: Target): Promise<Row[]> {
  const work = async () =>
    void (await expectStatus(to, 200, "POST", runs, { message: "hi", stream: "false" }));
  const one = await runConcurrently(200, 1, work);
  const many = await runConcurrently(800, CLIENTS, work);
  const { p50, p95 } = figuresOf(one.timesMs);
  return [
    { what: "waiting run, one client", figure: ms(p50), goal: "≤ 6 ms" },
    { what: "waiting run, one client, p95", figure: ms(p95) },
    { what: "waiting runs, 16 clients", figure: `${many.perSecond.toFixed(0)} /s`, goal: "≥ 300 /s" },
  ];
}

async function streamed(to: Target): Promise<Row[]> {
  const firsts: number[] = [];
  const { timesMs } = await runConcurrently(100, 1, async () => {
    const from = performance.now();
    let first: number | undefined;
    await expectStatus(to, 200, "POST", runs, { message: "hi" }, () => {
      first ??= performance.now() - from;
    });
    firsts.push(first ?? Number.NaN);
  });
  return [
    { what: "first event of a stream", figure: ms(figuresOf(firsts).p50), goal: "≤ 3.5 ms" },
    { what: "whole stream", figure: ms(figuresOf(timesMs).p50) },
  ];
}

async function inBackground(to: Target): Promise<Row[]> {
  const submits: number[] = [];
  await runConcurrently(60, 1, async () => {
    const from = performance.now();
    await submit(to);
    submits.push(performance.now() - from);
    // The next one finds the platform at rest, as a lone client's would.
    await pause(50);
  });
  await drained(to);
  const before = platformUsage(to.pid);
  const from = performance.now();
  const submitted = await runConcurrently(BURST, CLIENTS, async () => void (await submit(to)));
  await drained(to);
  const seconds = (performance.now() - from) / 1000;
  const after = platformUsage(to.pid);
  const ofOne = (process: "own" | "database"): string =>
    before && after ? ms((after[process].cpuMs - before[process].cpuMs) / BURST) : "–";
  return [
    { what: "background: submit, one client", figure: ms(figuresOf(submits).p50), goal: "≤ 6 ms" },
    {
      what: "background: submissions, 16 clients",
      figure: `${submitted.perSecond.toFixed(0)} /s`,
      goal: "≥ 160 /s",
    },
    {
      what: `background: ${BURST} runs submitted and worked`,
      figure: `${(BURST / seconds).toFixed(0)} /s`,
      goal: "≥ 140 /s",
    },
    { what: "processor time of one, functions and front", figure: ofOne("own"), goal: "≤ 9 ms" },
    { what: "processor time of one, database", figure: ofOne("database"), goal: "≤ 5 ms" },
  ];
}
