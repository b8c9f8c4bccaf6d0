/**
 * What a run costs in time on this machine: waiting, streamed and in the background, one client and sixteen, over
 * HTTP against a platform in its own process. `npm run bench`.
 */
import { setTimeout as pause } from "node:timers/promises";
import { figuresOf, inLanes, ms, printTable, type Row } from "./figures.ts";
import { startTarget, type Target } from "./target.ts";

const LANES = 16;
const run = "/agents/assistant/runs";

const target = await startTarget();
try {
  await warmUp(target);
  printTable([
    { what: "start to first answer, bundles built", figure: ms(target.startMs), goal: "≤ 3000 ms" },
    ...(await reads(target)),
    ...(await waiting(target)),
    ...(await streamed(target)),
    ...(await loneBackground(target)),
    ...(await burst(target)),
  ]);
} finally {
  await target.stop();
}

async function expectStatus(to: Target, status: number, ...request: Parameters<Target["send"]>) {
  const answer = await to.send(...request);
  if (answer.status !== status)
    throw new Error(`${request[1]}: ${answer.status} ${answer.body.slice(0, 200)}`);
  return answer;
}

async function warmUp(to: Target): Promise<void> {
  await inLanes(60, LANES, async () => {
    await expectStatus(to, 200, "POST", run, { message: "hi", stream: "false" });
    await expectStatus(to, 202, "POST", run, { message: "hi", stream: "false", background: "true" });
    await expectStatus(to, 200, "GET", "/agents");
  });
  await drained(to);
}

async function reads(to: Target): Promise<Row[]> {
  const work = async () => void (await expectStatus(to, 200, "GET", "/agents"));
  const one = await inLanes(200, 1, work);
  const many = await inLanes(800, LANES, work);
  return [
    { what: "GET /agents, one client", figure: ms(figuresOf(one.timesMs).p50) },
    { what: "GET /agents, 16 clients", figure: `${many.perSecond.toFixed(0)} /s` },
  ];
}

async function waiting(to: Target): Promise<Row[]> {
  const work = async () =>
    void (await expectStatus(to, 200, "POST", run, { message: "hi", stream: "false" }));
  const one = await inLanes(200, 1, work);
  const many = await inLanes(800, LANES, work);
  const { p50, p95 } = figuresOf(one.timesMs);
  return [
    { what: "waiting run, one client", figure: ms(p50), goal: "≤ 12 ms" },
    { what: "waiting run, one client, p95", figure: ms(p95) },
    { what: "waiting runs, 16 clients", figure: `${many.perSecond.toFixed(0)} /s` },
  ];
}

async function streamed(to: Target): Promise<Row[]> {
  const firsts: number[] = [];
  const { timesMs } = await inLanes(100, 1, async () => {
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

type Accepted = { run_id: string; session_id: string };

async function submit(to: Target): Promise<Accepted> {
  const form = { message: "hi", stream: "false", background: "true" };
  return JSON.parse((await expectStatus(to, 202, "POST", run, form)).body);
}

async function untilCompleted(to: Target, { run_id, session_id }: Accepted, everyMs: number): Promise<void> {
  for (;;) {
    const { body } = await expectStatus(to, 200, "GET", `${run}/${run_id}?session_id=${session_id}`);
    const { status } = JSON.parse(body);
    if (status === "COMPLETED") return;
    if (status !== "PENDING" && status !== "RUNNING") throw new Error(`run ${run_id} ended ${status}`);
    await pause(everyMs);
  }
}

async function loneBackground(to: Target): Promise<Row[]> {
  const { timesMs } = await inLanes(40, 1, async () => {
    await untilCompleted(to, await submit(to), 5);
    await pause(Math.random() * 100);
  });
  const withoutPauses = figuresOf(await loneTimes(to));
  return [
    { what: "lone background run, submit to terminal", figure: ms(withoutPauses.p50), goal: "≤ 100 ms" },
    { what: "lone background run, with pauses between", figure: ms(figuresOf(timesMs).p50) },
  ];
}

async function loneTimes(to: Target): Promise<number[]> {
  const { timesMs } = await inLanes(40, 1, async () => untilCompleted(to, await submit(to), 5));
  return timesMs;
}

async function burst(to: Target): Promise<Row[]> {
  const count = 500;
  const accepted: Accepted[] = [];
  const from = performance.now();
  const submitted = await inLanes(count, LANES, async () => void accepted.push(await submit(to)));
  await drained(to);
  const seconds = (performance.now() - from) / 1000;
  await inLanes(count, LANES, async (i) => {
    const one = accepted[i];
    if (one) await untilCompleted(to, one, 50);
  });
  return [
    { what: "submissions, 16 clients", figure: `${submitted.perSecond.toFixed(0)} /s`, goal: "> 66 /s" },
    { what: "submission, 16 clients, p50", figure: ms(figuresOf(submitted.timesMs).p50) },
    {
      what: `background runs, ${count} submitted and worked`,
      figure: `${(count / seconds).toFixed(0)} /s`,
      goal: "≥ 100 /s",
    },
  ];
}

async function drained(to: Target): Promise<void> {
  for (;;) {
    const { body } = await expectStatus(to, 200, "GET", "/queue/jobs?status=queued&status=running&limit=1");
    if (JSON.parse(body).meta.total_count === 0) return;
    await pause(50);
  }
}
