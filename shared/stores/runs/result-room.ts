import * as v from "valibot";
import { absentOr, atMost, deleteItem, type Guard, updateItem, write } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { type RunAddress, sessionRunsKey } from "./run-keys.ts";

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
export type TakeRoom = (bytes: number) => Promise<boolean>;

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
