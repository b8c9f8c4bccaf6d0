import { isoTime } from "../../domain/iso-time.ts";
import type { UserMemory } from "../../schemas/memories/memory.ts";
import type { StoredMemory } from "./memory-item.ts";

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
