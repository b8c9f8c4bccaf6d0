import type { UserMemory } from "../../schemas/memories/memory.ts";
import type { Author } from "./author.ts";

/** A memory as a model writes it. */
export type MemoryEntry = { readonly memory: string; readonly topics: readonly string[] };

/** The memories of a run's user. */
export type MemoryBook = {
  /** The last changed first. @param most the maximum number */
  readonly list: (most: number) => Promise<readonly UserMemory[]>;
  /**
   * Adds a memory.
   *
   * @param key  unique across all runs: a second add under it changes nothing
   * @param by   the author
   * @returns    the memory under this key
   */
  readonly add: (key: string, entry: MemoryEntry, by: Author) => Promise<UserMemory>;
  /** Replaces text and topics. @returns undefined when the user has no such memory */
  readonly update: (memory_id: string, entry: MemoryEntry) => Promise<UserMemory | undefined>;
};
