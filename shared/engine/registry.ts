import type { Agent } from "./agent.ts";
import type { Team } from "./team.ts";
import type { Workflow } from "./workflow/workflow.ts";

/** What this instance hosts, as `registry/index.ts` declares it. */
export type Registry = {
  readonly agents: readonly Agent[];
  readonly teams: readonly Team[];
  readonly workflows: readonly Workflow[];
};
