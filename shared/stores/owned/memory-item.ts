import * as v from "valibot";
import { isoTime } from "../../domain/iso-time.ts";
import type { UserMemory } from "../../schemas/memories/memory.ts";
import type { OwnedKind, OwnedRow } from "./owned.ts";

/** Version of the stored shape; raised with every change of it. */
export const MEMORY_SHAPE = 1;

/** A memory as it is stored. */
export const StoredMemory = v.object({
  memory_id: v.string(),
  memory: v.string(),
  topics: v.nullable(v.array(v.string())),
  agent_id: v.nullable(v.string()),
  team_id: v.nullable(v.string()),
  user_id: v.string(),
  /** Of older records: the message that led to it. It is not written any more, so that it is gone with its session. */
  input: v.optional(v.string()),
  created_at: v.number(),
  changed_at_ms: v.number(),
});
export type StoredMemory = v.InferOutput<typeof StoredMemory>;

/** What an index carries of a memory: all fields that lists show, filter and sort by. */
export type MemoryRow = OwnedRow & Omit<StoredMemory, "input">;

export const memoryKind: OwnedKind<StoredMemory, MemoryRow> = {
  listing: { table: "memories", plural: "memories", sorted_by: "updated_at" },
  idOf: ({ memory_id }) => memory_id,
  read: (item) => v.parse(StoredMemory, item),
  shape: MEMORY_SHAPE,
};

/** A memory as clients see it. */
export const wireMemory = ({
  created_at: _c,
  changed_at_ms,
  input: _i,
  ...shown
}: StoredMemory): UserMemory => ({
  ...shown,
  updated_at: wireTime(changed_at_ms),
});

/** @param atMs epoch milliseconds */
export const wireTime = (atMs: number): string => isoTime(Math.floor(atMs / 1000));
