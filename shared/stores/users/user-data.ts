import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { planRemoval } from "../../domain/knowledge/content-plans.ts";
import { type UserDataKind, userDataKinds } from "../../schemas/databases/user-data.ts";
import type { Db } from "../db.ts";
import { listDatasets } from "../evals/datasets/dataset-item.ts";
import { removeDataset } from "../evals/datasets/remove-dataset.ts";
import { evalListing } from "../evals/list-evals.ts";
import { removeEvals } from "../evals/remove-evals.ts";
import { ownerPartition, purgePartition } from "../index-keys.ts";
import { getContents, ownerKey } from "../knowledge/content-item.ts";
import { contentRows } from "../knowledge/list-contents.ts";
import { changeContent } from "../knowledge/put-content.ts";
import { listedRows } from "../listing/listed-rows.ts";
import type { Indexed, Listed } from "../listing/listing.ts";
import { endGrant, listGrants } from "../oauth/grants.ts";
import { listEndpointsOf, removeEndpoint } from "../outbox/endpoints.ts";
import { recordsOf } from "../owned/get-owned.ts";
import { learningKind } from "../owned/learning-item.ts";
import { memoryKind } from "../owned/memory-item.ts";
import type { Owned, OwnedKind, OwnedRow } from "../owned/owned.ts";
import { removeOwned } from "../owned/remove-owned.ts";
import { removePartition } from "../remove-partition.ts";
import { removeSchedule } from "../schedules/remove-schedule.ts";
import { readSchedules, scheduleListing, schedulePartition } from "../schedules/schedule-item.ts";
import { listAccounts } from "../service-accounts/account-item.ts";
import { revokeAccount } from "../service-accounts/mint-account.ts";
import { mintedBy } from "../service-accounts/minted-by.ts";
import { removeSessions } from "../sessions/remove-sessions.ts";
import { sessionListing } from "../sessions/session-listing.ts";
import { listViews, removeViews } from "./saved-views.ts";

/** Whose data, and where it may be. */
export type DataOfUser = {
  readonly db: Db;
  readonly user_id: string;
  /** Ids of the knowledge bases. */
  readonly bases: readonly string[];
  /** Epoch seconds. */
  readonly now: number;
};

/** Finds what there is of one kind, page by page, and removes a page. What is removed is in no later page. */
type Holder<T> = {
  readonly pages: (of: DataOfUser) => AsyncIterable<readonly T[]>;
  /** @returns how many were removed: what another process has removed meanwhile is not counted. */
  readonly remove: (of: DataOfUser, page: readonly T[], removals: SessionRemovals) => Promise<number>;
};

/** Wakes the removal of what a removed session holds. */
export type SessionRemovals = {
  readonly send: (message: { readonly session_id: string; readonly round: number }) => Promise<void>;
};

type UserDataStore = {
  readonly count: (of: DataOfUser) => Promise<number>;
  /** Removes page by page. @yields how many of a page */
  readonly remove: (of: DataOfUser, removals: SessionRemovals) => AsyncGenerator<number, void>;
};

const held = <T>({ pages, remove }: Holder<T>): UserDataStore => ({
  async count(of) {
    let found = 0;
    for await (const page of pages(of)) found += page.length;
    return found;
  },
  async *remove(of, removals) {
    for await (const page of pages(of)) if (page.length > 0) yield await remove(of, page, removals);
  },
});

const PAGE = 100;

/** Index rows of a user's listed records. */
async function* ownRows<Row extends Listed>(
  listing: Indexed<Row>,
  { db, user_id }: DataOfUser,
): AsyncGenerator<readonly Row[], void> {
  let page: Row[] = [];
  for await (const row of listedRows(db, listing, ownerPartition(user_id), { forward: true })) {
    page.push(row);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}

/** All of them as one page: there are few. */
async function* atOnce<T>(found: Promise<readonly T[]>): AsyncGenerator<readonly T[], void> {
  yield await found;
}

/** Does something with each, one after the other. @returns with how many it was done */
async function countDone<T>(all: readonly T[], act: (one: T) => Promise<boolean>): Promise<number> {
  let done = 0;
  for (const one of all) if (await act(one)) done += 1;
  return done;
}

const isOf =
  (user: string) =>
  ({ user_id }: { readonly user_id: string | null }): boolean =>
    user_id === user;

const owned = <Stored extends Owned, Row extends OwnedRow>(kind: OwnedKind<Stored, Row>) =>
  held<Stored>({
    pages: ({ db, user_id }) => atOnce(recordsOf(db, kind, user_id)),
    remove: ({ db, user_id }, records) => removeOwned(db, kind, user_id, records.map(kind.idOf)),
  });

/** The user's accounts that still may call, each before those that it has minted. */
async function accountsOf({ db, user_id }: DataOfUser) {
  const all = await listAccounts(db);
  const own = all.filter((account) => account.user_id === user_id);
  const withMinted = new Set(own.flatMap((account) => [account, ...mintedBy(account, all)]));
  return [...withMinted].filter(({ revoked_at }) => revoked_at === undefined);
}

/** Contents of a user in every base; those that the index still shows are left out when they are removed. */
async function* contentsOf({ db, user_id, bases }: DataOfUser) {
  for (const knowledge_id of bases) {
    const partition = {
      index: "by_owner",
      name: "owner_key",
      value: ownerKey(knowledge_id, user_id),
    } as const;
    for await (const rows of contentRows(db, partition, PAGE)) {
      const found = await getContents(
        db,
        knowledge_id,
        rows.map(({ id }) => String(id)),
      );
      yield [...found.values()].filter(({ removed }) => !removed);
    }
  }
}

/**
 * Where something of a user is, and how it is removed. A step that is repeated finds less, and one of a user whose data is gone
 * finds nothing. What acts for the user goes first, so that nothing new is made meanwhile.
 *
 * @source docs/interface/platform.md 5.1
 */
export const userData: Readonly<Record<UserDataKind, UserDataStore>> = {
  apps: held({
    pages: ({ db, user_id, now }) => atOnce(listGrants(db, user_id, now)),
    remove: ({ db, now }, grants) =>
      countDone(grants, async (grant) => {
        await endGrant(db, grant, now, true);
        return true;
      }),
  }),
  // Schedules of their own are disabled when they are due, because the account may not call any more.
  service_accounts: held({
    pages: (of) => atOnce(accountsOf(of)),
    remove: ({ db, now }, accounts) =>
      countDone(accounts, async (account) => {
        await revokeAccount(db, account, now);
        return true;
      }),
  }),
  // The entry of one at the scheduler is removed where it fires, or by the daily comparison.
  schedules: held({
    pages: (of) => ownRows(scheduleListing, of),
    remove: async ({ db, now }, rows) => {
      const schedules = await readSchedules(
        db,
        rows.map(({ id }) => id),
      );
      return countDone(schedules, async (schedule) => {
        const removed = await removeSchedule(db, schedule, now);
        if (removed) await removePartition(db, "schedules", schedulePartition(schedule.id));
        return removed;
      });
    },
  }),
  // Those for everybody's events belong to the deployment.
  webhook_endpoints: held({
    pages: ({ db, user_id }) => atOnce(listEndpointsOf(db, user_id)),
    remove: ({ db }, endpoints) => countDone(endpoints, (endpoint) => removeEndpoint(db, endpoint)),
  }),
  sessions: held({
    pages: (of) => ownRows(sessionListing, of),
    remove: async ({ db, user_id, now }, rows, removals) => {
      const ids = rows.map(({ session_id }) => session_id);
      const removed = await removeSessions(db, ids, isOf(user_id), now);
      // A message that is lost is sent again by the sweeper, which finds the tombstone.
      await Promise.all(removed.map((session_id) => removals.send({ session_id, round: 0 })));
      return removed.length;
    },
  }),
  memories: owned(memoryKind),
  learnings: owned(learningKind),
  // A worker removes what is stored of them; the sweeper wakes it.
  contents: held({
    pages: contentsOf,
    remove: ({ db, now }, contents) =>
      countDone(contents, async (content) => {
        let removed = false;
        await changeContent(db, content, (seen) => {
          removed = !seen.removed;
          return seen.removed ? undefined : planRemoval(seen, now);
        });
        return removed;
      }),
  }),
  evaluations: held({
    pages: (of) => ownRows(evalListing, of),
    remove: async ({ db, user_id, now }, rows) => {
      const ids = rows.map(({ id }) => id);
      return (await removeEvals(db, ids, isOf(user_id), now)).length;
    },
  }),
  datasets: held({
    pages: async function* ({ db, user_id }) {
      yield (await listDatasets(db, user_id, { offset: 0, limit: Number.POSITIVE_INFINITY })).datasets;
    },
    remove: ({ db, now }, datasets) => countDone(datasets, (dataset) => removeDataset(db, dataset, now)),
  }),
  views: held({
    pages: ({ db, user_id }) => atOnce(listViews(db, user_id)),
    remove: async ({ db, user_id }, { length }) => {
      await removeViews(db, user_id);
      return length;
    },
  }),
};

/** Whether contents, evaluations or datasets of a user are hidden already, and not purged yet: other workers do that. */
export async function hasPurges({ db, user_id }: Pick<DataOfUser, "db" | "user_id">): Promise<boolean> {
  const found = await Promise.all(
    [db.tables.knowledge, db.tables.evals].map((TableName) =>
      db.client.send(
        new QueryCommand({
          ...{ TableName, IndexName: "by_owner", Limit: 1 },
          KeyConditionExpression: "owner_key = :partition",
          ExpressionAttributeValues: { ":partition": purgePartition(user_id) },
        }),
      ),
    ),
  );
  return found.some(({ Count = 0 }) => Count > 0);
}

/** How much of each kind there is. */
export async function countUserData(of: DataOfUser): Promise<Record<string, number>> {
  const counts = userDataKinds.map(async (kind) => [kind, await userData[kind].count(of)] as const);
  return Object.fromEntries(await Promise.all(counts));
}
