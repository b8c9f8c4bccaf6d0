import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import {
  defineAgent,
  defineTeam,
  defineTool,
  defineWorkflow,
  type Registry,
  stepAnswer,
} from "../../../shared/engine/define/index.ts";

/** A registry of components that change the state of their session, for the tests of what becomes of it. */
const count = (value: unknown): number => (typeof value === "number" ? value : 0);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Adds 1 to `n` and its name to `log`, as it read them when it began. */
const bump = defineTool({
  name: "bump",
  description: "Count.",
  parameters: v.object({ as: v.optional(v.string()), ms: v.optional(v.number()) }),
  effect: "safe",
  execute: async ({ as = "anyone", ms = 0 }, { session_state, updateSessionState }) => {
    await sleep(ms);
    updateSessionState({ n: count(session_state.n) + 1, log: [...list(session_state.log), as] });
    return "counted";
  },
});

/** The same once a person has confirmed it. */
const bumpConfirmed = defineTool({
  name: "bump_confirmed",
  description: "Count, when a person confirms.",
  parameters: v.object({}),
  effect: "safe",
  requires_confirmation: true,
  execute: (_, { session_state, updateSessionState }) => {
    updateSessionState({ n: count(session_state.n) + 1 });
    return "counted";
  },
});

/** Sets a key to so many characters. */
const put = defineTool({
  name: "put",
  description: "Store a value.",
  parameters: v.object({ key: v.string(), chars: v.number(), ms: v.optional(v.number()) }),
  effect: "safe",
  execute: async ({ key, chars, ms = 0 }, { updateSessionState }) => {
    await sleep(ms);
    updateSessionState({ [key]: "x".repeat(chars) });
    return "stored";
  },
});

const tools = [bump, bumpConfirmed, put];
const state = { n: "add", log: "append" } as const;

const counter = defineAgent({ id: "counter", name: "Counter", tools });
const summing = defineAgent({ id: "summing", name: "Summing", tools, state, session_state: { n: 100 } });
const team = defineTeam({ id: "counting-team", name: "Counting team", members: [counter], state });
const workflow = defineWorkflow({
  id: "counting-flow",
  name: "Counting flow",
  state,
  steps: [
    {
      name: "sides",
      type: "Parallel",
      steps: ["left", "right"].map((name) => ({
        name,
        type: "Step" as const,
        executor: async ({ session_state }) => {
          await sleep(20);
          return stepAnswer({ session_state: { n: count(session_state.n) + 1 } });
        },
      })),
    },
    { name: "task", type: "Step", executor: () => "[[tool:bump {}]]" },
    { name: "agent", type: "Step", executor: counter },
  ],
});

export const registry: Registry = { agents: [counter, summing], teams: [team], workflows: [workflow] };
