/**
 * Starts a platform and calls every operation of its interface description with valid and invalid data: `npm run
 * fuzz:openapi`, or with rounds and a seed: `npm run fuzz:openapi -- --rounds 40 --seed 42 --only createSchedule,getSchedule`.
 * Exits with an error when an answer is a failure, or is not described; each is printed as a `curl` line.
 */
import { parseArgs } from "node:util";
import { type Finding, fuzzOpenApi } from "../test/support/openapi/fuzz-open-api.ts";
import { startReachablePlatform } from "../test/support/openapi/reachable-platform.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    from: { type: "string", default: "0" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string" },
  },
});
const seed = Number(values.seed);
const rounds = Number(values.rounds);

console.log(`seed ${seed}; starting a platform`);
const platform = await startReachablePlatform();
const startedAt = performance.now();
const seconds = (): string => ((performance.now() - startedAt) / 1000).toFixed(0);
try {
  const { asked, findings, statuses } = await fuzzOpenApi({
    ...{ url: platform.url, token: platform.adminToken, seed, rounds, from: Number(values.from) },
    ...(values.only !== undefined && { only: new Set(values.only.split(",")) }),
    show,
    progress: (round, requests, found) =>
      console.log(`round ${round} of ${rounds}: ${requests} requests, ${found} findings, ${seconds()} s`),
  });
  const counted = Object.entries(statuses).map(([status, times]) => `${times} × ${status}`);
  console.log(`${asked} requests in ${seconds()} s: ${counted.join(", ")}`);
  console.log(findings.length === 0 ? "every answer is described" : `${findings.length} findings`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await platform.stop();
}

function show(finding: Finding): void {
  showAsked(finding);
  // Of a gateway's own refusal the functions have said why: one that did not start in time under load, as on AWS, is no fault.
  if (/\b50[234]\b/.test(`${finding.answered?.status} ${finding.fault}`))
    console.log(platform.lines.slice(-5).join("\n"));
}

function showAsked({ operationId, round, manner, fault, request, answered }: Finding): void {
  if (request === undefined) {
    console.log(`\n${operationId}, round ${round}: ${fault}`);
    return;
  }
  const headers = Object.entries(request.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const body = request.body === undefined ? "" : ` --data-binary ${quoted(request.body)}`;
  console.log(
    [
      `\n${operationId}, round ${round} (${manner}): ${fault}`,
      `  answered ${answered?.status ?? "nothing"} ${answered?.text.slice(0, 400) ?? ""}`,
      `  curl -X ${request.method} ${headers.join(" ")} -H "authorization: Bearer $TOKEN"${body} "$URL"${quoted(request.path)}`,
      `  again: npm run fuzz:openapi -- --seed ${seed} --rounds ${round + 1} --from ${round} --only ${operationId}`,
    ].join("\n"),
  );
}

/** Quotes a text as one shell word. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
