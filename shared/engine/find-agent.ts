import type { Agent } from "./agent.ts";
import type { Registry } from "./registry.ts";

/** The agent with this id, or undefined. */
export function findAgent(registry: Registry, id: string): Agent | undefined {
  return registry.agents.find((agent) => agent.id === id);
}
