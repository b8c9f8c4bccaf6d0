import { expect, test } from "vitest";
import { orphansIn, playRandomRun } from "../../engine/support/random-transcript.ts";

const RUNS = 1_000;

test("no prompt of 1,000 random transcripts and windows has a call without its result, or a result without its call", async () => {
  let prompts = 0;
  let cuts = 0;
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const run = await playRandomRun(seed);
    prompts += run.prompts.length;
    cuts += run.cuts;
    expect({ seed, wrong: run.prompts.flatMap(orphansIn) }).toEqual({ seed, wrong: [] });
    expect({ seed, status: run.status }).toEqual({ seed, status: "COMPLETED" });
  }
  console.info(JSON.stringify({ runs: RUNS, prompts, cuts }));
  expect(cuts).toBeGreaterThan(RUNS / 2);
}, 300_000);
