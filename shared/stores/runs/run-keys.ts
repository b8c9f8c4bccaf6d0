import type { RunStatus } from "../../schemas/runs/run.ts";
import { indexKeys, type Partition, shardedPartition, shardedPartitions } from "../index-keys.ts";
import type { Indexed } from "../listing/listing.ts";

/** Owner and session are in the key: a caller's own id is part of every access, never a filter afterwards. */
const partOf = (text: string): string => encodeURIComponent(text);

export const sessionRunsKey = (owner: string | null, sessionId: string): string =>
  `session#${partOf(owner ?? "")}#${partOf(sessionId)}`;

export const runKey = (owner: string | null, sessionId: string, runId: string) => ({
  pk: sessionRunsKey(owner, sessionId),
  sk: `run#${runId}`,
});

export const eventsKey = (runId: string): string => `run#${runId}`;

/** Each attempt has its own key range, so events that a replaced attempt still writes are not read. */
export const eventSortKey = (attempt: number, firstIndex: number): string =>
  `event#${String(attempt).padStart(6, "0")}#${String(firstIndex).padStart(10, "0")}`;

export type RunAddress = {
  readonly owner: string | null;
  readonly session_id: string;
  readonly run_id: string;
};

type OfComponent = { readonly component_type: "agent" | "team" | "workflow"; readonly component_id: string };

/** What an index carries of a run: nothing that changes after its creation. */
export type RunRow = RunAddress & OfComponent & { readonly opened: string };

export const indexedRuns: Indexed<RunRow> = { table: "runs", plural: "runs" };

/** Statuses in which few runs stay: those that need a person, or that operators ask about. They have an index. */
const restingStatuses: ReadonlySet<RunStatus> = new Set(["ERROR", "CANCELLED", "PAUSED"]);
export const hasIndex = (status: RunStatus): boolean => restingStatuses.has(status);

const componentPrefix = ({ component_type, component_id }: OfComponent) =>
  `component#${component_type}#${encodeURIComponent(component_id)}` as const;

/** @param shards as many as the setting says: runs of a time when it said less are in the first of them */
export const componentPartitions = (component: OfComponent, shards: number): Partition[] =>
  shardedPartitions(componentPrefix(component), shards);

export const restingPartitions = (status: RunStatus): Partition[] => shardedPartitions(`resting#${status}`);

/** The partition of the index by status, for a status that has one; other runs are not in it. */
export const statusKey = (runId: string, status: RunStatus): Partition | undefined =>
  hasIndex(status) ? shardedPartition(`resting#${status}`, runId) : undefined;

type Placed = Omit<RunAddress, "session_id"> &
  OfComponent & { readonly status: RunStatus; readonly output: { readonly created_at: number } };

/** The attributes that place a run in the indexes. @param shards partitions of all runs, and of each component's */
export function runIndexKeys({ run_id, owner, status, output, ...component }: Placed, shards: number) {
  const status_key = statusKey(run_id, status);
  return {
    ...indexKeys({ id: run_id, user_id: owner, created_at: output.created_at }, shards),
    component_key: shardedPartition(componentPrefix(component), run_id, shards),
    ...(status_key !== undefined && { status_key }),
  };
}
