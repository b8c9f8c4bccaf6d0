/**
 * Measures how fair and how full the queue is when it is crowded: what ten short runs of one user take beside a hundred
 * long ones of another, how much of the workers' slots is used, and what 1,000 runs of some lengths cost.
 * `npm run bench:fairness`.
 */
import { executeBatch } from "../functions/worker/execute-batch.ts";
import { printTable, type Row } from "./figures.ts";
import { measureShares } from "./queue/shares.ts";
import { simulateHour, withoutRefill } from "./queue/slots.ts";

printTable(await measureShares());
printTable(await measureCosts());

async function measureCosts(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const medianSeconds of [2, 10, 60]) {
    const before = await simulateHour(withoutRefill, medianSeconds);
    const after = await simulateHour(executeBatch, medianSeconds);
    const figures = ({ used, dollarsPerThousand }: typeof before) =>
      `${(used * 100).toFixed(0)} %, $${dollarsPerThousand.toFixed(3)}`;
    rows.push({
      what: `slots in use and 1,000 runs of ${medianSeconds} s (median), without and with refill`,
      figure: `${figures(before)} → ${figures(after)}`,
    });
  }
  return rows;
}
