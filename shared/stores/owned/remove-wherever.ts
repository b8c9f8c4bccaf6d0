import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import type { Owned, OwnedKind, OwnedRow } from "./owned.ts";
import { placeKey } from "./owned-keys.ts";
import { removeOwned } from "./remove-owned.ts";

/** Removes records of any owner by id. Each owner's are removed in transactions of their own. */
export async function removeWherever<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  kind: OwnedKind<Stored, Row>,
  ids: readonly string[],
): Promise<void> {
  const distinct = [...new Set(ids)];
  const idOfPlace = new Map(distinct.map((id) => [placeKey(id).pk, id]));
  const places = await batchGet(db, db.tables[kind.listing.table], distinct.map(placeKey));
  const byOwner = Map.groupBy(places, ({ user_id }) => (typeof user_id === "string" ? user_id : null));
  for (const [owner, ownPlaces] of byOwner) {
    const found = ownPlaces.flatMap(({ pk }) => idOfPlace.get(String(pk)) ?? []);
    await removeOwned(db, kind, owner, found);
  }
}
