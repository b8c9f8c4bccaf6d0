/**
 * Measures the effect of a worker that stands still: a worker process is stopped (SIGSTOP) for longer than the lock grace
 * while its runs each charge an order; checks of the locks recover them, a second process executes them, and the first
 * goes on (SIGCONT) before, while or after that.
 * `node bench/stops.ts [--stops 20] [--in-flight 20] [--seed N]`.
 */
import { parseArgs } from "node:util";
import { randomFrom } from "../test/support/kill-campaign.ts";
import { startPaymentService } from "../test/support/payment-service.ts";
import { GRACE_SECONDS, type StoppedRun, stoppedRound } from "../test/support/stop-campaign.ts";
import { startStores } from "../test/support/stores.ts";
import { figuresOf, ms, printTable } from "./figures.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({ options: { stops: text, "in-flight": text, seed: text } });
const stops = Number(values.stops ?? 20);
const runs = Number(values["in-flight"] ?? 20);
const seed = Number(values.seed ?? Date.now() % 100_000);
const random = randomFrom(seed);

const [stores, payments] = await Promise.all([startStores(), startPaymentService()]);
try {
  const all: StoppedRun[] = [];
  for (let stop = 1; stop <= stops; stop += 1) {
    all.push(...(await stoppedRound(stores, payments, { runs, random })));
    console.log(`stop ${stop}: ${runs} runs at rest`);
  }
  report(all);
} finally {
  await payments.stop();
  await stores.stop();
}

function report(all: readonly StoppedRun[]): void {
  const count = (holds: (run: StoppedRun) => boolean) => String(all.filter(holds).length);
  const recoveries = figuresOf(all.flatMap(({ recoveredMs }) => recoveredMs ?? []));
  const isAtRest = ({ status }: StoppedRun) => status === "completed" || status === "paused";
  printTable([
    { what: "seed", figure: String(seed) },
    { what: "stops", figure: String(stops) },
    { what: "runs", figure: String(all.length) },
    { what: "taken from the stopped worker", figure: String(recoveries.n) },
    { what: "completed", figure: count(({ status }) => status === "completed") },
    { what: "asks whether the order was charged", figure: count(({ status }) => status === "paused") },
    { what: "neither", figure: count((run) => !isAtRest(run)), goal: "0" },
    { what: "charged twice", figure: count(({ charges }) => charges > 1), goal: "0" },
    {
      what: "completed without a charge",
      figure: count(({ status, charges }) => status === "completed" && charges === 0),
      goal: "0",
    },
    { what: "ended more than once", figure: count(({ endings }) => endings.length !== 1), goal: "0" },
    {
      what: "changed by the old worker after the end",
      figure: count(({ changedLate }) => changedLate),
      goal: "0",
    },
    { what: "executed beyond the budget", figure: count(({ attempt }) => attempt > 2), goal: "0" },
    { what: "from the stop until recovery began, p50", figure: ms(recoveries.p50) },
    {
      what: "from the stop until recovery began, p95",
      figure: ms(recoveries.p95),
      goal: `< ${GRACE_SECONDS + 5} s`,
    },
  ]);
}
