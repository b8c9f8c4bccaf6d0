import { createHash } from "node:crypto";
import * as v from "valibot";
import { absentOr, atMost, deleteItem, type Guard, updateItem, write } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { inBatches } from "../in-batches.ts";
import { sessionObjects } from "../objects/spill.ts";
import { type RunAddress, sessionRunsKey } from "./run-keys.ts";

/** A larger result is not kept. */
const MAX_BYTES = 8_000_000;

type Objects = Pick<Db, "objects">;
type SessionAddress = Pick<RunAddress, "owner" | "session_id">;

const keyOf = ({ owner, session_id }: SessionAddress, id: string): string =>
  `${sessionObjects(owner, session_id)}results/${id}`;

/**
 * The stored results of a run's session. They are objects under their ids, so that no other session's can be named, and go when the
 * session's prefix is removed.
 *
 * @param takeRoom  takes the room that a session has for all of its results; as much as is wanted when absent
 */
export const storedResultsOf = (
  { objects }: Objects,
  at: SessionAddress,
  takeRoom: TakeRoom = async () => true,
) => ({
  put: async (id: string, text: string): Promise<boolean> => {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > MAX_BYTES || !(await takeRoom(bytes.length))) return false;
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

/** Copies stored results from one session to another; those that are not there any more are left out. @returns their bytes */
export async function copyResults(
  { objects }: Objects,
  ids: readonly string[],
  from: SessionAddress,
  to: SessionAddress,
): Promise<number> {
  let copied = 0;
  await inBatches(
    [...new Set(ids)],
    1,
    async ([id = ""]) => {
      copied += (await objects.copy(keyOf(from, id), keyOf(to, id))) ?? 0;
    },
    AT_A_TIME,
  );
  return copied;
}

const AT_A_TIME = 10;

/** Version of the stored shape; raised with every change of it. */
export const RESULT_ROOM_SHAPE = 1;

/**
 * How much of a session's stored results there is, beside its runs. What was counted and then could not be written stays counted, and so
 * does a result that was written twice: the limit is one against runs without end, not one that anybody pays by.
 */
export const StoredResultRoom = v.object({ bytes: v.number() });

/** Most bytes of a session's stored results. */
const MOST_BYTES = 200_000_000;

type Session = Pick<RunAddress, "owner" | "session_id">;
type Tables = Pick<Db, "client" | "tables">;

/** Sorts behind none of the session's runs. */
const roomKey = ({ owner, session_id }: Session) => ({
  pk: sessionRunsKey(owner, session_id),
  sk: "result-room",
});

/** Takes room for a result. @returns false where its session has too little left */
type TakeRoom = (bytes: number) => Promise<boolean>;

/** Takes the room of a session's stored results, for all of its runs together. */
export const roomOf =
  (db: Tables, session: Session): TakeRoom =>
  async (bytes) => {
    if (bytes > MOST_BYTES) return false;
    const guard = { bytes: absentOr(atMost(MOST_BYTES - bytes)) };
    return (await write(db, moreIn(session, bytes, guard))).written;
  };

/** Counts what a new session was given of another one, which is never more than a session may have. */
export async function countCopied(db: Tables, session: Session, bytes: number): Promise<void> {
  if (bytes > 0) await write(db, moreIn(session, bytes));
}

const moreIn = (session: Session, bytes: number, guard?: Guard) =>
  updateItem("runs", roomKey(session), { set: { shape: RESULT_ROOM_SHAPE }, add: { bytes }, guard });

/** Removes the count with its session. */
export async function removeRoom(db: Tables, session: Session): Promise<void> {
  await write(db, deleteItem("runs", roomKey(session)));
}
