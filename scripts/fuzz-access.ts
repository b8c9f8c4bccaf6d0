/**
 * Campaigns of made-up requests: `npm run fuzz:access`, or with the number of requests of each and a seed:
 * `npm run fuzz:access -- 100000 42`. With a third number the last one, which takes the longest, has as many.
 *
 *   1  malformed ones with forged credentials, against the authorizer and the pipeline
 *   2  the same to every operation of the whole route table
 *   3  well-formed ones to every operation of it, by tokens with scopes at random
 *   4  well-formed ones by users of a whole platform who try to execute what they may not run, on every way there is
 *
 * Exits with an error when one gets through or causes a failure.
 */
import { fuzzAccess } from "../test/support/access-fuzz.ts";
import { fuzzExecutions } from "../test/support/execution-fuzz/fuzz-executions.ts";
import { startPlatform } from "../test/support/platform.ts";
import { fuzzRoutes } from "../test/support/route-fuzz.ts";

const [given = "20000", seedText = String(Date.now() % 1_000_000), executions = given] =
  process.argv.slice(2);
const count = Number(given);
const executed = Number(executions);
const seed = Number(seedText);
if (![count, executed, seed].every(Number.isInteger) || count < 1 || executed < 1) {
  console.error("usage: npm run fuzz:access -- <number of requests> <seed> <number of those that execute>");
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

for (const manner of ["malformed", "well-formed"] as const) {
  startedAt = performance.now();
  const { asked, answers, refused } = await fuzzRoutes(manner, count, seed);
  const operations = Object.keys(asked).length;
  console.log(
    `${count} ${manner} requests to ${operations} operations in ${seconds()} s: ${counted(answers)}; ${refused} had no right, none of them got through`,
  );
}

const platform = await startPlatform();
startedAt = performance.now();
try {
  const { answers, runs } = await fuzzExecutions({
    ...{ platform, count: executed, seed },
    progress: (done) => {
      if (done % 5000 === 0) console.log(`${done} of ${executed} requests, ${seconds()} s`);
    },
  });
  console.log(`${executed} requests in ${seconds()} s, ${runs} runs; nothing was executed without its scope`);
  for (const [name, statuses] of Object.entries(answers)) console.log(`  ${name}: ${counted(statuses)}`);
} finally {
  await platform.stop();
}
