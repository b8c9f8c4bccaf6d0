/**
 * Measures the time of a foreground run on this machine: waiting and streamed, one client and sixteen, over HTTP against
 * a platform in its own process. `npm run bench`.
 */
import { figuresOf, ms, printTable, type Row, runConcurrently } from "./figures.ts";
import { expectStatus, startTarget, type Target } from "./target.ts";

const CLIENTS = 16;
const run = "/agents/assistant/runs";

const target = await startTarget();
try {
  await warmUp(target);
  printTable([
    { what: "start to first answer, bundles built", figure: ms(target.startMs), goal: "≤ 3000 ms" },
    ...(await reads(target)),
    ...(await waiting(target)),
    ...(await streamed(target)),
  ]);
} finally {
  await target.stop();
}

async function warmUp(to: Target): Promise<void> {
  await runConcurrently(60, CLIENTS, async () => {
    await expectStatus(to, 200, "POST", run, { message: "hi", stream: "false" });
    await expectStatus(to, 200, "GET", "/agents");
  });
}

async function reads(to: Target): Promise<Row[]> {
  const work = async () => void (await expectStatus(to, 200, "GET", "/agents"));
  const one = await runConcurrently(200, 1, work);
  const many = await runConcurrently(800, CLIENTS, work);
  return [
    { what: "GET /agents, one client", figure: ms(figuresOf(one.timesMs).p50) },
    { what: "GET /agents, 16 clients", figure: `${many.perSecond.toFixed(0)} /s` },
  ];
}

async function waiting(to: Target): Promise<Row[]> {
  const work = async () =>
    void (await expectStatus(to, 200, "POST", run, { message: "hi", stream: "false" }));
  const one = await runConcurrently(200, 1, work);
  const many = await runConcurrently(800, CLIENTS, work);
  const { p50, p95 } = figuresOf(one.timesMs);
  return [
    { what: "waiting run, one client", figure: ms(p50), goal: "≤ 12 ms" },
    { what: "waiting run, one client, p95", figure: ms(p95) },
    { what: "waiting runs, 16 clients", figure: `${many.perSecond.toFixed(0)} /s` },
  ];
}

async function streamed(to: Target): Promise<Row[]> {
  const firsts: number[] = [];
  const { timesMs } = await runConcurrently(100, 1, async () => {
    const from = performance.now();
    let first: number | undefined;
    await expectStatus(to, 200, "POST", run, { message: "hi" }, () => {
      first ??= performance.now() - from;
    });
    firsts.push(first ?? Number.NaN);
  });
  return [
    { what: "first event of a stream", figure: ms(figuresOf(firsts).p50), goal: "≤ 10 ms" },
    { what: "whole stream", figure: ms(figuresOf(timesMs).p50) },
  ];
}
