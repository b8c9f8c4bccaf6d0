import { createHash } from "node:crypto";
import type { Db } from "../db.ts";
import { inBatches } from "../in-batches.ts";
import { sessionObjects } from "../objects/spill.ts";
import type { RunAddress } from "./run-keys.ts";

/** A larger result is not kept. */
const MAX_BYTES = 8_000_000;

type Objects = Pick<Db, "objects">;
type SessionAddress = Pick<RunAddress, "owner" | "session_id">;

const keyOf = ({ owner, session_id }: SessionAddress, id: string): string =>
  `${sessionObjects(owner, session_id)}results/${id}`;

/**
 * The stored results of a run's session. They are objects under their ids, so that no other session's can be named, and go when the
 * session's prefix is removed.
 */
export const storedResultsOf = ({ objects }: Objects, at: SessionAddress) => ({
  put: async (id: string, text: string): Promise<boolean> => {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > MAX_BYTES) return false;
    await objects.put(keyOf(at, id), bytes, createHash("sha256").update(bytes).digest("hex"));
    return true;
  },
  get: async (id: string): Promise<string | undefined> => {
    const bytes = await objects.get(keyOf(at, id));
    return bytes && new TextDecoder().decode(bytes);
  },
});

/** The ids of all stored results that a run names, with those of the runs within it, and of what was folded. */
export function storedResultIds(output: object): string[] {
  const text = JSON.stringify(output);
  const results = [...text.matchAll(/"result_id":"(res_[0-9a-f]{10})"/g)].map(([, id = ""]) => id);
  const folded = [...text.matchAll(/find everything in (res_[0-9a-f]{10}(?:, res_[0-9a-f]{10})*)/g)];
  return [...new Set([...results, ...folded.flatMap(([, ids = ""]) => ids.split(", "))])];
}

/** Copies stored results from one session to another; those that are not there any more are left out. */
export async function copyResults(
  { objects }: Objects,
  ids: readonly string[],
  from: SessionAddress,
  to: SessionAddress,
): Promise<void> {
  await inBatches(
    [...new Set(ids)],
    1,
    async ([id = ""]) => void (await objects.copy(keyOf(from, id), keyOf(to, id))),
    AT_A_TIME,
  );
}

const AT_A_TIME = 10;
