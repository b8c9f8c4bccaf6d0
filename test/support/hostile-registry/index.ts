import * as v from "valibot";
import {
  type Agent,
  defineAgent,
  defineTeam,
  defineTool,
  defineWorkflow,
  type Registry,
  resultWithMedia,
} from "../../../shared/engine/define/index.ts";

/** A registry whose agents, teams and workflows exist once for each provider of models. */

const addNumbers = defineTool({
  name: "add_numbers",
  description: "Add two numbers.",
  parameters: v.object({ a: v.number(), b: v.number(), note: v.optional(v.string()) }),
  effect: "safe",
  execute: ({ a, b }) => a + b,
});

/** One black pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";

const drawSquare = defineTool({
  name: "draw_square",
  description: "Draw a square.",
  parameters: v.object({}),
  effect: "safe",
  execute: () =>
    resultWithMedia("A square.", [
      { mime_type: "image/png", filename: "square.png", bytes: Buffer.from(PNG, "base64") },
    ]),
});

const issueRefund = defineTool({
  name: "issue_refund",
  description: "Refund an order.",
  parameters: v.object({ order_id: v.string() }),
  effect: "once",
  requires_confirmation: true,
  execute: ({ order_id }) => `Refunded ${order_id}.`,
});

const models = {
  openai: "openai:gpt-hostile",
  "openai-compatible": "openai-compatible:hostile",
  anthropic: "anthropic:claude-hostile",
  "amazon-bedrock": "amazon-bedrock:amazon.nova-hostile-v1:0",
} as const;

function agentsOf(provider: string, model: string) {
  const tools = [addNumbers, drawSquare, issueRefund];
  const clerk = defineAgent({ id: `${provider}-clerk`, name: "Clerk", model, tools });
  return {
    clerk,
    saver: defineAgent({ ...clerk, id: `${provider}-saver`, name: "Saver", max_tokens_per_run: 20_000 }),
    counter: defineAgent({ ...clerk, id: `${provider}-counter`, name: "Counter", tool_call_limit: 2 }),
  };
}

const publish = (clerk: Agent, provider: string) =>
  defineWorkflow({
    id: `${provider}-workflow`,
    name: "Publish",
    steps: [
      { name: "draft", type: "Step", executor: clerk },
      { name: "publish", type: "Step", executor: ({ previous }) => `Published: ${String(previous)}` },
    ],
  });

const made = Object.entries(models).map(([provider, model]) => ({
  provider,
  model,
  ...agentsOf(provider, model),
}));

export const registry: Registry = {
  agents: made.flatMap(({ clerk, saver, counter }) => [clerk, saver, counter]),
  teams: made.map(({ provider, model, clerk }) =>
    defineTeam({ id: `${provider}-team`, name: "Team", model, members: [clerk] }),
  ),
  workflows: made.map(({ provider, clerk }) => publish(clerk, provider)),
};
