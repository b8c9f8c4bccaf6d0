import type { Agent } from "./agent.ts";
import type { Team } from "./team.ts";
import type { Workflow } from "./workflow.ts";

/** What can be run. */
export type Runnable = Agent | Team | Workflow;
export type RunnableKind = Runnable["kind"];
