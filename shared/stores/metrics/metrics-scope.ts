import type { UtcDay } from "../../domain/utc-day.ts";
import type { Db } from "../db.ts";
import { allPartitions, ownerPartition, type Partition } from "../index-keys.ts";

/** Whose figures: one user's, or everybody's. They are computed and stored separately. */
export type MetricsScope = { readonly user_id: string | undefined };

/** The owner is in the key: figures of one user are never a filter over those of all. */
const partitionOf = ({ user_id }: MetricsScope): string =>
  user_id === undefined ? "all" : `user#${encodeURIComponent(user_id)}`;

export const refreshKey = (scope: MetricsScope) => ({ pk: partitionOf(scope), sk: "refresh" });

export const dayKey = (scope: MetricsScope, day: UtcDay) => ({ pk: partitionOf(scope), sk: `day#${day}` });

/** What a day comes to by version, tool and the like. */
export const breakdownKey = (scope: MetricsScope, day: UtcDay) => ({
  pk: partitionOf(scope),
  sk: `breakdown#${day}`,
});

/** Where a day is while it is counted in slices. */
export const slicesKey = (scope: MetricsScope, day: UtcDay): string => `slices#${partitionOf(scope)}#${day}`;

/** Where the sessions of a scope are listed, and its evaluations in their table, in the first of these. */
export const listedPartitions = (
  { runIndexShards }: Pick<Db, "runIndexShards">,
  { user_id }: MetricsScope,
): Partition[] => (user_id === undefined ? allPartitions(runIndexShards) : [ownerPartition(user_id)]);
