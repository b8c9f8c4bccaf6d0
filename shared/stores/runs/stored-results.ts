import { createHash } from "node:crypto";
import type { Db } from "../db.ts";
import { sessionObjects } from "../objects/spill.ts";
import type { RunAddress } from "./run-keys.ts";

/** A larger result is not kept. */
const MAX_BYTES = 8_000_000;

/**
 * The stored results of a run's session. They are objects under their ids, so that no other session's can be named, and go when the
 * session's prefix is removed.
 */
export function storedResultsOf(db: Pick<Db, "objects">, { owner, session_id }: RunAddress) {
  const keyOf = (id: string): string => `${sessionObjects(owner, session_id)}results/${id}`;
  return {
    put: async (id: string, text: string): Promise<boolean> => {
      const bytes = new TextEncoder().encode(text);
      if (bytes.length > MAX_BYTES) return false;
      await db.objects.put(keyOf(id), bytes, createHash("sha256").update(bytes).digest("hex"));
      return true;
    },
    get: async (id: string): Promise<string | undefined> => {
      const bytes = await db.objects.get(keyOf(id));
      return bytes && new TextDecoder().decode(bytes);
    },
  };
}
