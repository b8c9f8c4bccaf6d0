import type { Db } from "../db.ts";
import { countInWindow } from "./count-in-window.ts";
import { findToken } from "./find-token.ts";
import { recordUse } from "./record-use.ts";

/** The access to this table that authorization needs, over a connection; `auth/access-store.ts` has the contract. */
export const accessStoreOver = (db: Db) => ({
  findToken: (hash: string) => findToken(db, hash),
  recordUse: (accountId: string, now: number) => recordUse(db, accountId, now),
  countFailure: (address: string, now: number) => countInWindow(db, `failures#${address}`, now),
  countRequests: (who: string, count: number, now: number) =>
    countInWindow(db, `requests#${who}`, now, count),
});
