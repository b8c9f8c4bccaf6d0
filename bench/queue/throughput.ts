import { setTimeout as pause } from "node:timers/promises";
import { type Accepted, drained, runs, submit } from "../background.ts";
import { figuresOf, ms, type Row, runConcurrently } from "../figures.ts";
import { expectStatus, startTarget, type Target } from "../target.ts";

const CLIENTS = 16;
const LONE = 60;
const BURST = 500;

/** Measures how fast background runs are accepted and executed, over HTTP against a platform in a process of its own. */
export async function measureThroughput(): Promise<Row[]> {
  const target = await startTarget({ MAX_QUEUE_DEPTH: "0" });
  try {
    await runConcurrently(60, CLIENTS, async () => void (await submit(target)));
    await drained(target);
    return [
      ...(await untilTerminal(target, 1)),
      ...(await untilTerminal(target, CLIENTS)),
      ...(await burst(target)),
    ];
  } finally {
    await target.stop();
  }
}

/** Each client submits a run and waits for its end before it submits the next. */
async function untilTerminal(to: Target, clients: number): Promise<Row[]> {
  const { timesMs } = await runConcurrently(LONE * Math.ceil(clients / 4), clients, async () =>
    untilCompleted(to, await submit(to), clients === 1 ? 5 : 25),
  );
  const { p50, p95 } = figuresOf(timesMs);
  const what = `submit to terminal, ${clients} client${clients === 1 ? "" : "s"}`;
  return [
    { what: `${what}, p50`, figure: ms(p50), ...(clients === 1 && { goal: "≤ 100 ms" }) },
    { what: `${what}, p95`, figure: ms(p95) },
  ];
}

async function untilCompleted(to: Target, { run_id, session_id }: Accepted, everyMs: number): Promise<void> {
  for (;;) {
    const { body } = await expectStatus(to, 200, "GET", `${runs}/${run_id}?session_id=${session_id}`);
    const { status } = JSON.parse(body);
    if (status === "COMPLETED") return;
    if (status !== "PENDING" && status !== "RUNNING") throw new Error(`run ${run_id} ended ${status}`);
    await pause(everyMs);
  }
}

async function burst(to: Target): Promise<Row[]> {
  const from = performance.now();
  const submitted = await runConcurrently(BURST, CLIENTS, async () => void (await submit(to)));
  await drained(to);
  const seconds = (performance.now() - from) / 1000;
  return [
    { what: "submissions, 16 clients", figure: `${submitted.perSecond.toFixed(0)} /s`, goal: "> 66 /s" },
    { what: "submission, 16 clients, p50", figure: ms(figuresOf(submitted.timesMs).p50) },
    {
      what: `${BURST} runs submitted and worked`,
      figure: `${(BURST / seconds).toFixed(0)} /s`,
      goal: "≥ 100 /s",
    },
  ];
}
