import { extractMemories } from "../extract/extract-memories.ts";
import type { Execution } from "../run/execution.ts";
import type { Batch } from "./batch.ts";

/**
 * Saves memories on behalf of a tool. The model's usage for it counts as the run's own.
 *
 * @returns the texts of the saved memories
 * @throws  Error when nothing could be saved, with a text for the model
 */
export async function rememberForTool(
  said: string,
  tool_call_id: string,
  batch: Batch,
  execution: Execution,
): Promise<string[]> {
  const { memories, usage } = await extractMemories(said, tool_call_id, batch.state(), execution);
  batch.addUsage(usage);
  if (!memories) throw new Error("Nothing could be remembered just now.");
  return memories.map(({ memory }) => memory);
}
