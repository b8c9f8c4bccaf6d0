import * as v from "valibot";
import { MemoryText, MemoryTopics } from "../../schemas/memories/memory.ts";
import { parseArguments } from "../model/parse-arguments.ts";
import type { RequestedCall } from "../model/streamed-answer.ts";
import type { MemoryEntry } from "../ports/memory-book.ts";
import { defineTool } from "../tool/tool.ts";

const Topics = v.optional(
  v.pipe(MemoryTopics, v.description("one to three words each, such as food or travel")),
  [],
);
const NewMemory = v.object({
  memory: v.pipe(MemoryText, v.description("one fact about the user, in the third person")),
  topics: Topics,
});
const ChangedMemory = v.object({
  memory_id: v.pipe(v.string(), v.description("id of the memory that it takes the place of")),
  ...NewMemory.entries,
});

/** The tools by which a model answers what is worth remembering; they execute nothing. */
export const memoryChangeTools = [
  defineTool({
    name: "add_memory",
    description: "Remember something about the user that was not known.",
    parameters: NewMemory,
    effect: "keyed",
    external_execution: true,
  }),
  defineTool({
    name: "update_memory",
    description: "Put something in the place of a memory that is not true any more, or says less.",
    parameters: ChangedMemory,
    effect: "keyed",
    external_execution: true,
  }),
];

export type MemoryChange =
  | { readonly change: "add"; readonly entry: MemoryEntry }
  | { readonly change: "update"; readonly memory_id: string; readonly entry: MemoryEntry };

/** @returns undefined for an invalid call */
export function memoryChangeOf({ name, arguments: text }: RequestedCall): MemoryChange | undefined {
  const args = parseArguments(text);
  if (name === "add_memory") {
    const { success, output } = v.safeParse(NewMemory, args);
    return success ? { change: "add", entry: output } : undefined;
  }
  const { success, output } = v.safeParse(ChangedMemory, args);
  return success && name === "update_memory"
    ? { change: "update", memory_id: output.memory_id, entry: output }
    : undefined;
}
