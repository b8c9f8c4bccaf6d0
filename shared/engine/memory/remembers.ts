import type { AgentSettings } from "../agent.ts";

/** Whether an agent has anything remembered of its users. */
export const remembers = ({ enable_agentic_memory, update_memory_on_run }: AgentSettings): boolean =>
  enable_agentic_memory || update_memory_on_run;
