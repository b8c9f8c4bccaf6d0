import { expect, test } from "vitest";
import { executeSlice } from "../../shared/engine/loop/execute-slice.ts";
import { RunStopped } from "../../shared/engine/run/next-step.ts";
import { anAgent, aRequest, aTool, scripted, tickingClock } from "./support/run-agent.ts";

test("a tool call that the timeout cuts off ends the run; it is not handed off to be called again", async () => {
  const stop = new AbortController();
  const slow = {
    ...aTool().tool,
    execute: () => {
      stop.abort(new RunStopped("timeout", "too long"));
      return new Promise(() => {});
    },
  };
  const slice = (from?: Parameters<typeof executeSlice>[3]) =>
    executeSlice(
      anAgent({ tools: [slow] }),
      aRequest('[[tool:add {"a":1,"b":2}]]'),
      {
        models: scripted(),
        clock: tickingClock(),
        newId: () => "id",
        emit: () => undefined,
        signal: stop.signal,
        shouldYield: () => true,
      },
      from,
    );
  const asked = await slice();
  if (asked.status !== "YIELDED") throw new Error("the model's turn is a step of its own");
  expect(await slice(asked.state)).toMatchObject({ status: "ERROR", cause: "timeout" });
});
