import { type Agent, defineAgent, type Registry } from "../../shared/engine/define/index.ts";
import { assistant } from "../../test/support/registry/agents.ts";

/** What the platform does for long runs, and another model where the own one fails. */
const everything: Agent = defineAgent({
  ...assistant,
  id: "everything",
  fallback_models: ["anthropic:claude-hostile-two"],
  helper_model: "anthropic:claude-hostile-two",
});

/** The same agent with all of it switched off. */
const nothing: Agent = defineAgent({
  ...assistant,
  id: "nothing",
  prompt_cache: false,
  compaction: false,
  offload_tool_results: false,
  loop_limit: 0,
  retries: 0,
});

export const registry: Registry = { agents: [everything, nothing, assistant], teams: [], workflows: [] };
