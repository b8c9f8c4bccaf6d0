import type { MemorySettings } from "./memory-settings.ts";

/** Whether an agent has anything remembered of its users. */
export const remembers = ({ enable_agentic_memory, update_memory_on_run }: MemorySettings): boolean =>
  enable_agentic_memory || update_memory_on_run;
