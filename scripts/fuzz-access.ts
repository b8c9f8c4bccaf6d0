/**
 * Two campaigns of made-up requests: malformed ones against the authorizer and the pipeline, then well-formed ones by
 * users of a whole platform who try to execute what they may not run: `npm run fuzz:access`, or with the number of
 * requests of each and a seed: `npm run fuzz:access -- 100000 42`. Exits with an error when one gets through or causes a
 * failure.
 */
import { fuzzAccess } from "../test/support/access-fuzz.ts";
import { fuzzExecutions } from "../test/support/execution-fuzz/fuzz-executions.ts";
import { startPlatform } from "../test/support/platform.ts";

const [given = "20000", seedText = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const count = Number(given);
const seed = Number(seedText);
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
  console.error("usage: npm run fuzz:access -- <number of requests> <seed>");
  process.exit(2);
}
let startedAt = performance.now();
const seconds = (): string => ((performance.now() - startedAt) / 1000).toFixed(1);
const counted = (answers: Readonly<Record<number, number>>): string =>
  Object.entries(answers)
    .map(([status, times]) => `${times} × ${status}`)
    .join(", ");

console.log(`seed ${seed}`);
const malformed = await fuzzAccess(count, seed);
console.log(`${count} malformed requests in ${seconds()} s: ${counted(malformed)}; none got through`);

const platform = await startPlatform();
startedAt = performance.now();
try {
  const { answers, runs } = await fuzzExecutions({
    ...{ platform, count, seed },
    progress: (done) => {
      if (done % 5000 === 0) console.log(`${done} of ${count} requests, ${seconds()} s`);
    },
  });
  console.log(`${count} requests in ${seconds()} s, ${runs} runs; nothing was executed without its scope`);
  for (const [name, statuses] of Object.entries(answers)) console.log(`  ${name}: ${counted(statuses)}`);
} finally {
  await platform.stop();
}
