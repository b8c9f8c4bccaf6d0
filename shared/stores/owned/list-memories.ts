import type { Db } from "../db.ts";
import type { SortValue } from "../listing/listed-rows.ts";
import { listOwned, type OwnedFound } from "./list-owned.ts";
import { type MemoryRow, memoryKind, type StoredMemory } from "./memory-item.ts";

export type MemoriesQuery = {
  /** Whose memories; undefined for everybody's. */
  readonly owner: string | undefined;
  readonly agent_id: string | undefined;
  readonly team_id: string | undefined;
  /** All of these must be topics of it. */
  readonly topics: readonly string[];
  /** A part of its text, in any case. */
  readonly search_content: string | undefined;
  /** Anything but the name of a column sorts by `updated_at`. */
  readonly sort_by: string;
  readonly sort_order: "asc" | "desc";
  /** Counted from 1. */
  readonly page: number;
  readonly limit: number;
};

/** @throws ServiceError BAD_REQUEST when it would have to look at too many, see `listOwned` */
export function listMemories(db: Db, query: MemoriesQuery): Promise<OwnedFound<StoredMemory>> {
  const { owner, sort_by, sort_order, page, limit } = query;
  return listOwned(db, memoryKind, {
    owners: owner === undefined ? undefined : [owner],
    matches: isNarrowed(query) ? (row) => matches(row, query) : undefined,
    sortBy: sortColumn(sort_by),
    sort_order,
    page,
    limit,
  });
}

const isNarrowed = ({ agent_id, team_id, topics, search_content }: MemoriesQuery): boolean =>
  agent_id !== undefined || team_id !== undefined || topics.length > 0 || search_content !== undefined;

function matches(row: MemoryRow, { agent_id, team_id, topics, search_content }: MemoriesQuery): boolean {
  return (
    (agent_id === undefined || row.agent_id === agent_id) &&
    (team_id === undefined || row.team_id === team_id) &&
    topics.every((topic) => row.topics?.includes(topic)) &&
    (search_content === undefined || row.memory.toLowerCase().includes(search_content.toLowerCase()))
  );
}

/** Sorting by last change needs no column: the index is in that order. */
function sortColumn(name: string): { name: string; sortValueOf: (row: MemoryRow) => SortValue } | undefined {
  switch (name) {
    case "memory_id":
    case "memory":
    case "agent_id":
    case "team_id":
    case "user_id":
    case "created_at":
      return { name, sortValueOf: (row) => row[name] };
    case "topics":
      return { name, sortValueOf: ({ topics }) => topics?.join(",") ?? null };
    default:
      return undefined;
  }
}
