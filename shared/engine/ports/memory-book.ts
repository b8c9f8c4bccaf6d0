import type { UserMemory } from "../../schemas/memories/memory.ts";
import type { Author } from "./author.ts";

/** What a model wants remembered. */
export type Note = { readonly memory: string; readonly topics: readonly string[] };

/** What is remembered of a run's user, as the engine uses it. */
export type MemoryBook = {
  /** The last changed first. @param most how many at most */
  readonly list: (most: number) => Promise<readonly UserMemory[]>;
  /**
   * Keeps a new memory.
   *
   * @param place  names it among all that any run remembers: what is added there again is not kept twice
   * @param by     who remembers, and after which message
   * @returns      the memory that is kept there
   */
  readonly add: (place: string, note: Note, by: Author & { readonly input: string }) => Promise<UserMemory>;
  /** Replaces text and topics. @returns undefined when the user has no such memory */
  readonly update: (memory_id: string, note: Note) => Promise<UserMemory | undefined>;
};
