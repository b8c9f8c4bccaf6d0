import * as v from "valibot";
import { MemoryText, MemoryTopics, type UserMemory } from "../../schemas/memories/memory.ts";
import { parseArguments, type RequestedCall } from "../model/streamed-answer.ts";
import { noUsage, type Usage } from "../model/usage.ts";
import type { MemoryBook, MemoryEntry } from "../ports/engine-ports.ts";
import { KNOWN_MEMORIES } from "../recall/memory-settings.ts";
import { authorOf, type Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import { defineTool } from "../tool/tool.ts";
import { type ExtraAnswer, queryModel } from "./query-model.ts";

const TASK = [
  "You keep what is worth remembering about a user across conversations: who they are, what they like, what they plan.",
  "You are shown what they said. Add what is new and will matter later, one fact to a memory; change a memory that is not",
  "true any more. What is known already, and what matters to this conversation alone, is not kept. Call no tool where",
  "nothing is worth it.",
].join(" ");

export type ExtractedMemories = {
  /** Undefined when the model could not be called, or nothing could be saved. */
  readonly memories: readonly UserMemory[] | undefined;
  readonly usage: Usage;
  /** Who was asked; absent where no model was. */
  readonly by?: Pick<ExtraAnswer, "model" | "spec">;
};

/**
 * Queries the model for what is worth remembering, and saves it. A failure does not fail the run: it is logged, and
 * nothing is returned that was not saved.
 *
 * @param said   the user's text
 * @param key    unique for this extraction within the run: a retry saves nothing twice
 * @throws       the signal's reason
 */
export async function extractMemories(
  said: string,
  key: string,
  state: RunState,
  execution: Execution,
): Promise<ExtractedMemories> {
  const { memories: book, signal, warn } = execution.ports;
  if (!book) return { memories: [], usage: noUsage };
  let usage = noUsage;
  let by: ExtractedMemories["by"];
  try {
    const known = await book.list(KNOWN_MEMORIES);
    const query = { name: `memories/${key}`, task: taskWith(known), material: said };
    const answer = await queryModel({ ...query, tools: memoryChangeTools }, state, execution);
    if (!answer) return { memories: undefined, usage };
    usage = answer.usage;
    by = answer;
    const changes = answer.calls.flatMap((call) => memoryChangeOf(call) ?? []);
    const keyPrefix = `${execution.request.run_id}/${key}`;
    return { memories: await apply(changes, known, keyPrefix, book, execution), usage, by };
  } catch (thrown) {
    signal.throwIfAborted();
    warn?.("memories could not be saved", { run_id: execution.request.run_id, error: String(thrown) });
    return { memories: undefined, usage, ...(by && { by }) };
  }
}

async function apply(
  changes: readonly MemoryChange[],
  known: readonly UserMemory[],
  keyPrefix: string,
  book: MemoryBook,
  { agent, ports }: Execution,
): Promise<UserMemory[]> {
  const by = authorOf(agent);
  const saved: UserMemory[] = [];
  for (const [position, { entry, ...change }] of changes.entries()) {
    // A worker that lost the run must save nothing more for it.
    ports.signal.throwIfAborted();
    const same = known.find(({ memory }) => memory === entry.memory);
    const memory =
      change.change === "add"
        ? (same ?? (await book.add(`${keyPrefix}/${position}`, entry, by)))
        : await book.update(change.memory_id, entry);
    if (memory) saved.push(memory);
  }
  return saved;
}

const taskWith = (known: readonly UserMemory[]): string =>
  known.length === 0
    ? TASK
    : `${TASK}\n\nKnown:\n${known.map(({ memory_id, memory }) => `- ${memory_id}: ${memory}`).join("\n")}`;

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
const memoryChangeTools = [
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

type MemoryChange =
  | { readonly change: "add"; readonly entry: MemoryEntry }
  | { readonly change: "update"; readonly memory_id: string; readonly entry: MemoryEntry };

/** @returns undefined for an invalid call */
function memoryChangeOf({ name, arguments: text }: RequestedCall): MemoryChange | undefined {
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
