import { expect, test } from "vitest";
import { beginRun, executeSlice } from "../../shared/engine/loop/execute-slice.ts";
import { finishRun } from "../../shared/engine/loop/finish-run.ts";
import { takeStep } from "../../shared/engine/loop/take-step.ts";
import { openExecution } from "../../shared/engine/run/execution.ts";
import type { Step } from "../../shared/engine/run/next-step.ts";
import { anAgent, aRequest, aTool, runAgent, scripted } from "./support/run-agent.ts";

const script = '[[tool:add {"a":1,"b":2}]][[tokens:3]][[tool:add {"a":3,"b":4}]]';

/** Takes every step in an execution of its own, which gets nothing but the state as JSON text. */
async function runInPieces() {
  const ports = {
    models: scripted(),
    clock: { now: () => 0, sleep: async () => undefined },
    newId: () => "id",
    emit: () => undefined,
    signal: new AbortController().signal,
  };
  const agent = anAgent({ tools: [aTool().tool] });
  const open = () => openExecution(agent, aRequest(script), ports, { executeSlice });
  let step: Step = await beginRun(open());
  let steps = 0;
  while (!step.ending) {
    step = await takeStep(JSON.parse(JSON.stringify(step.state)), open());
    steps += 1;
  }
  return { steps, outcome: await finishRun(step.ending, step.state, open()), ports, agent };
}

test("a run whose every step is taken by another process ends as one that was taken in one go", async () => {
  const { steps, outcome, ports, agent } = await runInPieces();
  const { clock, newId } = ports;
  const whole = await runAgent(script, { agent, clock, newId });
  expect(steps).toBe(6);
  expect(outcome).toEqual(whole.outcome);
  expect(outcome.output.content).toBe("word1 word2 word33\n7");
});
