import type { Db } from "../db.ts";
import { countInWindow } from "./count-in-window.ts";
import { findToken } from "./find-token.ts";
import { recordUse } from "./record-use.ts";

/** What decisions on access need of this table, bound to a connection; `auth/access-store.ts` says what it promises. */
export const accessStoreOver = (db: Db) => ({
  findToken: (hash: string) => findToken(db, hash),
  recordUse: (accountId: string, now: number) => recordUse(db, accountId, now),
  countFailure: (address: string, now: number) => countInWindow(db, `failures#${address}`, now),
  countRequest: (who: string, now: number) => countInWindow(db, `requests#${who}`, now),
});
