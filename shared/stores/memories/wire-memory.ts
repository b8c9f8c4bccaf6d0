import { isoTime } from "../../domain/iso-time.ts";
import type { UserMemory } from "../../schemas/memory.ts";
import type { StoredMemory } from "./memory-item.ts";

/** A memory as clients see it. @source contract, memories-and-learnings 2.1 */
export const wireMemory = ({
  memory_id,
  memory,
  topics,
  agent_id,
  team_id,
  user_id,
  changed_at_ms,
}: StoredMemory): UserMemory => ({
  memory_id,
  memory,
  topics,
  agent_id,
  team_id,
  user_id,
  updated_at: wireTime(changed_at_ms),
});

/** @param atMs epoch milliseconds */
export const wireTime = (atMs: number): string => isoTime(Math.floor(atMs / 1000));
