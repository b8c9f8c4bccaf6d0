/**
 * What all that the platform does for long runs costs a plain run until its first token: `npm run bench:first-token`. An agent that has
 * it and one that has it switched off are asked by turns over HTTP, each in new sessions, so that both meet the same machine. The
 * model's service is a stand-in that answers at once.
 *
 * `--before <folder>` asks a platform of another checkout by turns too, such as one from before there was any of it.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { startHostileModel } from "../../test/support/hostile-model/start-hostile-model.ts";
import { figuresOf, ms, printTable } from "../figures.ts";
import { expectStatus, startTarget, type Target } from "../target.ts";

const { values } = parseArgs({
  options: { before: { type: "string" }, runs: { type: "string", default: "300" } },
});
const RUNS = Number(values.runs);
const WARM_UP = 30;

type Asked = {
  readonly what: string;
  readonly to: Target;
  readonly agent: string;
  readonly firsts: number[];
};

const hostile = await startHostileModel();
hostile.plan("plan-plain", () => ({ text: ["Done."] }));
const { MODEL_BASE_URL: _, ...reached } = hostile.environment;
const env = { ...reached, MODEL: "anthropic:claude-hostile", MAX_QUEUE_DEPTH: "0" };
const targets: Target[] = [];
try {
  const now = await started(startTarget(env, join(import.meta.dirname, "registry.ts")));
  const asked: Asked[] = [
    { what: "all of it switched off", to: now, agent: "nothing", firsts: [] },
    { what: "with all of it", to: now, agent: "everything", firsts: [] },
  ];
  if (values.before !== undefined) {
    const other: { startTarget: typeof startTarget } = await import(
      pathToFileURL(join(values.before, "bench/target.ts")).href
    );
    const to = await started(other.startTarget(env));
    asked.push({ what: "the other checkout", to, agent: "assistant", firsts: [] });
    asked.push({ what: "its agent, this checkout", to: now, agent: "assistant", firsts: [] });
  }
  for (let run = 0; run < WARM_UP + RUNS; run += 1) {
    // Who comes first changes, since what a turn leaves to be done falls upon the next.
    for (const one of run % 2 === 0 ? asked : asked.toReversed()) {
      const first = await firstToken(one);
      if (run >= WARM_UP) one.firsts.push(first);
    }
  }
  printTable(
    asked.map(({ what, firsts }) => {
      const { p25, p50, p95 } = figuresOf(firsts);
      return { what: `first token, ${what}: p25, p50, p95`, figure: [p25, p50, p95].map(ms).join(", ") };
    }),
  );
} finally {
  await Promise.all([...targets.map((target) => target.stop()), hostile.stop()]);
}

async function started(starting: Promise<Target>): Promise<Target> {
  const target = await starting;
  targets.push(target);
  return target;
}

/** Milliseconds from the request to the first event with text of the answer. */
async function firstToken({ to, agent }: Asked): Promise<number> {
  const from = performance.now();
  let first: number | undefined;
  let received = "";
  const form = { message: "plan-plain", stream: "true" };
  await expectStatus(to, 200, "POST", `/agents/${agent}/runs`, form, (text) => {
    received += text;
    if (received.includes("event: RunContent\n")) first ??= performance.now() - from;
  });
  if (first === undefined) throw new Error(`no token came: ${received.slice(0, 2000)}`);
  return first;
}
