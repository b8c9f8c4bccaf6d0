import { type Agent, defineAgent } from "../../define/agent.ts";
import { buildSettings, type Parts, type StoredVersion } from "./build-settings.ts";
import type { Built } from "./built.ts";
import type { FindChild } from "./children.ts";

/** The agent that a stored version describes. */
export async function buildAgent(
  stored: StoredVersion,
  parts: Parts,
  find: FindChild,
): Promise<Built<Agent>> {
  const { value, faults } = await buildSettings(stored, parts, find);
  return { value: defineAgent(value), faults };
}
