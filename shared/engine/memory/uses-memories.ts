import type { MemorySettings } from "./memory-settings.ts";

/** Whether an agent saves memories of its users. */
export const usesMemories = ({ enable_agentic_memory, update_memory_on_run }: MemorySettings): boolean =>
  enable_agentic_memory || update_memory_on_run;
