import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { asSeen, deleteItem, updateItem, write } from "../../data/index.ts";
import { SavedView } from "../../schemas/databases/saved-view.ts";
import type { Db } from "../db.ts";
import { retryUntilWritten } from "../retry-until-written.ts";

/** Version of the stored shape; raised with every change of it. */
export const SAVED_VIEWS_SHAPE = 1;

/** The views of one user, in one item: there are few, and they are read together. */
export const StoredViews = v.object({
  views: v.array(SavedView),
  /** Raised with every change. */
  revision: v.number(),
});

/** Views of one user at most. */
export const MOST_VIEWS = 50;

const viewsKey = (userId: string) => ({ pk: `views#${encodeURIComponent(userId)}`, sk: "views" });

async function readViews(db: Db, userId: string): Promise<v.InferOutput<typeof StoredViews> | undefined> {
  const Key = viewsKey(userId);
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.databases, Key, ConsistentRead: true }),
  );
  return Item && v.parse(StoredViews, Item);
}

/** In the order in which they were saved. */
export const listViews = async (db: Db, userId: string): Promise<readonly SavedView[]> =>
  (await readViews(db, userId))?.views ?? [];

/**
 * Changes the views of a user.
 *
 * @param change  called again after a lost race; undefined refuses
 * @returns       undefined where it was refused
 */
async function changeViews(
  db: Db,
  userId: string,
  change: (views: readonly SavedView[]) => readonly SavedView[] | undefined,
): Promise<readonly SavedView[] | undefined> {
  const { views } = await retryUntilWritten(
    async () => {
      const seen = await readViews(db, userId);
      const changed = change(seen?.views ?? []);
      if (!changed) return { views: undefined };
      const { written } = await write(
        db,
        updateItem("databases", viewsKey(userId), {
          set: { views: changed, revision: (seen?.revision ?? 0) + 1, shape: SAVED_VIEWS_SHAPE },
          guard: { revision: asSeen(seen?.revision) },
        }),
      );
      return written ? { views: changed } : undefined;
    },
    () => new Error("the views of one user were changed concurrently too often"),
  );
  return views;
}

/** Saves a view in place of the one with its name. @returns undefined where there are `MOST_VIEWS` already */
export const saveView = (db: Db, userId: string, view: SavedView) =>
  changeViews(db, userId, (views) => {
    const others = views.filter(({ name }) => name !== view.name);
    return others.length < MOST_VIEWS ? [...others, view] : undefined;
  });

/** Removes the view with a name, if there is one. */
export async function removeView(db: Db, userId: string, name: string): Promise<void> {
  await changeViews(db, userId, (views) => {
    const others = views.filter((view) => view.name !== name);
    return others.length < views.length ? others : undefined;
  });
}

/** Removes all views of a user. */
export const removeViews = (db: Db, userId: string) => write(db, deleteItem("databases", viewsKey(userId)));
