import * as v from "valibot";
import { type Agent, defineAgent } from "../../../shared/engine/define/agent.ts";
import { defineWorkflow, type Workflow, type WorkflowStep } from "../../../shared/engine/define/workflow.ts";
import type { Models } from "../../../shared/engine/model/models.ts";
import { defineTool } from "../../../shared/engine/tool/tool.ts";
import type { Clock } from "../../../shared/runtime/clock.ts";
import { callName, runKey } from "./counting.ts";

/** Called when an execution does something that a second one would do again. */
export type Witness = { readonly acts: (what: string) => void };

/** The agent that simulated runs are asked of: one tool is slow, one waits for a person. */
export function simulatedAgent(clock: Clock, witness: Witness): Agent {
  const slowly = defineTool({
    name: "slowly",
    description: "Take some time.",
    parameters: v.object({ ms: v.number() }),
    effect: "once",
    execute: async ({ ms }, { signal }) => {
      witness.acts("tool");
      await clock.sleep(ms, signal);
      return "done";
    },
  });
  const ask = defineTool({
    name: "ask",
    description: "Do something that a person must allow.",
    parameters: v.object({}),
    effect: "once",
    requires_confirmation: true,
    execute: () => "allowed",
  });
  const count = defineTool({
    name: "count",
    description: "Count in the session's state.",
    parameters: v.object({ ms: v.number() }),
    effect: "safe",
    execute: async ({ ms }, { session_state, updateSessionState, run_id, tool_call_id, signal }) => {
      const { sum = 0, calls = [], plain = 0 } = session_state;
      await clock.sleep(ms, signal);
      updateSessionState({
        sum: Number(sum) + 1,
        calls: [...(Array.isArray(calls) ? calls : []), callName(run_id, tool_call_id)],
        plain: Number(plain) + 1,
        [runKey(run_id)]: true,
      });
      return "counted";
    },
  });
  return defineAgent({
    id: "assistant",
    name: "Assistant",
    tools: [slowly, ask, count],
    state: { sum: "add", calls: "append" },
    add_history_to_context: true,
  });
}

/** The steps of the simulated workflow, and those that must have ended before each begins. */
export const simulatedSteps: Readonly<Record<string, readonly string[]>> = {
  begin: [],
  left: ["begin"],
  end: ["begin", "left"],
};

const LEFT_MS = 2_500;

/** The workflow that simulated runs are asked of: a step, two branches side by side of which one is the agent, a step. */
export function simulatedWorkflow(clock: Clock, witness: Witness, agent: Agent): Workflow {
  const step = (name: string, ms: number): WorkflowStep => ({
    name,
    type: "Step",
    executor: async ({ input, signal }) => {
      witness.acts(`step ${name}`);
      await clock.sleep(ms, signal);
      return String(input);
    },
  });
  const right: WorkflowStep = { name: "right", type: "Step", executor: agent };
  return defineWorkflow({
    id: "flow",
    name: "Flow",
    steps: [
      step("begin", 10),
      { name: "sides", type: "Parallel", steps: [step("left", LEFT_MS), right] },
      step("end", 10),
    ],
  });
}

/** The same models, with a witness to every call of one. */
export function watchedModels(models: Models, witness: Witness): Models {
  return {
    describe: models.describe,
    resolve: async (spec) => {
      const resolved = await models.resolve(spec);
      return {
        ...resolved,
        model: {
          ...resolved.model,
          doStream: (options) => {
            witness.acts("model");
            return resolved.model.doStream(options);
          },
        },
      };
    },
  };
}
