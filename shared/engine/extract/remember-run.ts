import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import { type ExtractedMemories, extractMemories } from "./extract-memories.ts";

/**
 * Remembers what is worth it of what the user said to a run.
 *
 * @throws the signal's reason
 * @source contract, runs-and-queue 5.3 and 5.5, "memory / summary on"
 */
export async function rememberRun(state: RunState, execution: Execution): Promise<ExtractedMemories> {
  const { emit, request } = execution;
  emit({ event: "MemoryUpdateStarted" });
  const kept = await extractMemories(request.input, "run", state, execution);
  emit({ event: "MemoryUpdateCompleted", ...(kept.memories && { memories: [...kept.memories] }) });
  return kept;
}
