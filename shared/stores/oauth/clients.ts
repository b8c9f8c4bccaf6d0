import * as v from "valibot";
import { above, exists, isNew, putItem, updateItem, write, writeAndRead } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { getOauthItem } from "./find-app-token.ts";
import { clientItem, clientKey, StoredClient } from "./oauth-items.ts";

/** A registered client; undefined for one that is not known, or is forgotten. @param now epoch seconds */
export async function getClient(db: Db, id: string, now: number): Promise<StoredClient | undefined> {
  const item = await getOauthItem(db, clientKey(id));
  const client = item && v.parse(StoredClient, item);
  return client && client.expires_at > now ? client : undefined;
}

export async function putClient(db: Db, client: StoredClient): Promise<void> {
  const { written } = await write(db, putItem("service_accounts", clientItem(client), isNew));
  if (!written) throw new Error("a fresh id of a client exists already");
}

/** Keeps a client that a user has let in. One that is forgotten stays so. */
export async function keepClient(db: Db, id: string, expires_at: number): Promise<void> {
  await write(db, updateItem("service_accounts", clientKey(id), { set: { expires_at }, guard: exists }));
}

const WINDOW_SECONDS = 3_600;

/** Counts a registration. @returns how many there were in the hour that began with the first */
export async function countRegistration(db: Db, now: number): Promise<number> {
  const key = { pk: "registrations", sk: "window" };
  const counted = await writeAndRead(
    db,
    updateItem("service_accounts", key, { add: { count: 1 }, guard: { expires_at: above(now) } }),
  );
  if (counted.written) return Number(counted.item.count);
  await write(
    db,
    updateItem("service_accounts", key, { set: { count: 1, expires_at: now + WINDOW_SECONDS } }),
  );
  return 1;
}
