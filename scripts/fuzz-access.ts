/**
 * Sends malformed requests to the authorizer and the pipeline: `npm run fuzz:access`, or with a number of requests and
 * a seed: `npm run fuzz:access -- 100000 42`. Exits with an error when one is admitted or causes a failure.
 */
import { fuzzAccess } from "../test/support/access-fuzz.ts";

const [count = "100000", seed] = process.argv.slice(2);
const startedAt = performance.now();
const answers = await fuzzAccess(Number(count), seed === undefined ? undefined : Number(seed));
const seconds = (performance.now() - startedAt) / 1000;
const counted = Object.entries(answers).map(([status, times]) => `${times} × ${status}`);
console.log(
  `${count} malformed requests in ${seconds.toFixed(1)} s: ${counted.join(", ")}; none got through`,
);
