import { defineRegistry } from "@agentplatform/core";
import { researchTeam } from "./agents/research-team.ts";
import { researcher } from "./agents/researcher.ts";
import { writer } from "./agents/writer.ts";
import { readPage } from "./tools/read-page.ts";

/** What this project hosts. A new agent goes into a file of its own, and into this list. */
export const registry = defineRegistry({
  agents: [researcher, writer],
  teams: [researchTeam],
  // What components that are stored by the API may use.
  parts: { tools: [readPage] },
});
