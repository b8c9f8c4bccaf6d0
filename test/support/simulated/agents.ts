import * as v from "valibot";
import { type Agent, defineAgent } from "../../../shared/engine/agent.ts";
import type { Models } from "../../../shared/engine/models.ts";
import { defineTool } from "../../../shared/engine/tool.ts";
import type { Clock } from "../../../shared/runtime/clock.ts";

/** Told when an execution does something that a second one would do again. */
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
  return defineAgent({
    id: "assistant",
    name: "Assistant",
    tools: [slowly, ask],
    add_history_to_context: true,
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
