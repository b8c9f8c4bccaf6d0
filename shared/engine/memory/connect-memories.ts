import { type Clock, epochSeconds } from "../../runtime/clock.ts";
import { derivedId } from "../../runtime/ids.ts";
import type { Db } from "../../stores/db.ts";
import { memoryKind, wireMemory } from "../../stores/memories/memory-item.ts";
import { createOwned, updateOwned } from "../../stores/owned/change-owned.ts";
import { getOwned } from "../../stores/owned/get-owned.ts";
import { listOwned } from "../../stores/owned/list-owned.ts";
import type { MemoryBook } from "../ports/engine-ports.ts";

/** The owner of memories of runs without a user. */
export const DEFAULT_OWNER = "default";

/** The memories of one user in the stores. */
export function connectMemories(db: Db, user_id: string | null | undefined, clock: Clock): MemoryBook {
  const owner = user_id ?? DEFAULT_OWNER;
  return {
    async list(most) {
      const query = { owners: [owner], sort_order: "desc", page: 1, limit: most } as const;
      const { records } = await listOwned(db, memoryKind, query);
      return records.map(wireMemory);
    },
    async add(key, { memory, topics }, by) {
      const record = {
        memory_id: derivedId(`memory/${key}`),
        memory,
        topics: [...topics],
        ...by,
        user_id: owner,
        created_at: epochSeconds(clock),
        changed_at_ms: clock.now(),
      };
      if (await createOwned(db, memoryKind, record)) return wireMemory(record);
      const known = await getOwned(db, memoryKind, record.memory_id, owner);
      return wireMemory(known ?? record);
    },
    async update(memory_id, { memory, topics }) {
      const before = await getOwned(db, memoryKind, memory_id, owner);
      const change = { memory, topics: [...topics] };
      const updated = before && (await updateOwned(db, memoryKind, before, change, clock.now()));
      return updated && wireMemory(updated);
    },
  };
}
