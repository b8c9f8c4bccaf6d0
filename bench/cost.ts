/**
 * Computes what the platform costs on AWS: 1,000 runs of each kind, 1,000 idle hours, and runs by the worker's batch
 * size. Usage is counted on the local platform; `npm run cost [runs|idle|batches]`.
 */
import { parseArgs } from "node:util";
import { measureBatch } from "./cost/batches.ts";
import { measureIdle } from "./cost/idle.ts";
import { batchSheet, idleSheet, runSheet } from "./cost/sheets.ts";
import { INTERFACES, readStanding } from "./cost/standing.ts";
import { measureWorkloads } from "./cost/workloads.ts";

const BATCH_SIZES = [1, 5, 10];
const startedAt = performance.now();
const progress = (step: string): void => {
  process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${step}\n`);
};

const parts: Readonly<Record<string, () => Promise<string>>> = {
  runs: async () => runSheet(await measureWorkloads(progress)),
  idle: async () =>
    idleSheet(await measureIdle(progress), await readStanding(), await readStanding(INTERFACES)),
  batches: async () => {
    const batches = [];
    for (const size of BATCH_SIZES) batches.push(await measureBatch(size, progress));
    return batchSheet(batches);
  },
};

const { positionals } = parseArgs({ allowPositionals: true });
const selected = positionals.length > 0 ? positionals : Object.keys(parts);
const unknown = selected.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}.`);
  process.exit(1);
}
const sheets: string[] = [];
for (const name of selected) sheets.push((await parts[name]?.()) ?? "");
console.log(sheets.join("\n\n"));
