import { type Agent, defineAgent } from "../../define/agent.ts";
import { buildSettings, type Parts, type StoredVersion } from "./build-settings.ts";
import type { Built } from "./built.ts";

/** The agent that a stored version describes. */
export async function buildAgent(stored: StoredVersion, parts: Parts): Promise<Built<Agent>> {
  const { value, faults } = await buildSettings(stored, parts);
  return { value: defineAgent(value), faults };
}
