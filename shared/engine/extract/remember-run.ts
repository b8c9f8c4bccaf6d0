import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import { type ExtractedMemories, extractMemories } from "./extract-memories.ts";

/**
 * Saves what is worth remembering of a run's input.
 *
 * @throws the signal's reason
 * @source docs/interface/runs.md 5.7
 */
export async function rememberRun(state: RunState, execution: Execution): Promise<ExtractedMemories> {
  const { emit, request } = execution;
  emit({ event: "MemoryUpdateStarted" });
  const extracted = await extractMemories(request.input, "run", state, execution);
  emit({ event: "MemoryUpdateCompleted", ...(extracted.memories && { memories: [...extracted.memories] }) });
  return extracted;
}
