import { expect, test } from "vitest";
import { orphansIn, playRandomRun } from "./support/random-transcript.ts";

/** `test/long/engine/random-transcripts.test.ts` plays a thousand. */
const RUNS = 25;

test("a prompt that was cut has each call with its result, whatever is called and said in whichever window", async () => {
  let cuts = 0;
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const run = await playRandomRun(seed);
    cuts += run.cuts;
    expect({ seed, wrong: run.prompts.flatMap(orphansIn) }).toEqual({ seed, wrong: [] });
    expect({ seed, status: run.status }).toEqual({ seed, status: "COMPLETED" });
  }
  expect(cuts).toBeGreaterThan(RUNS / 2);
});

test("a call without its result is found, and so is a result without its call", () => {
  const call = { type: "tool-call", toolCallId: "a", toolName: "look", input: {} } as const;
  const result = {
    type: "tool-result",
    toolCallId: "b",
    toolName: "look",
    output: { type: "text", value: "" },
  } as const;
  expect(
    orphansIn([
      { role: "assistant", content: [call] },
      { role: "tool", content: [result] },
      { role: "user", content: [{ type: "text", text: "and?" }] },
    ]),
  ).toEqual(["the result of b has no call", "a has no result"]);
});
