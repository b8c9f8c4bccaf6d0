import type { QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import type { RunStatus } from "../../../schemas/runs/run.ts";
import type { Db } from "../../db.ts";
import { mergeSorted } from "../../jobs/merge-sorted.ts";
import { queryPages } from "../../query-pages.ts";
import { allTasks, changedKey, ownTasks, type StoredTask } from "./task-item.ts";

/** What the indexes carry of a task. */
export type TaskRow = Pick<StoredTask, "run_id" | "session_id" | "owner" | "status"> & {
  readonly task_changed: string;
};

export type TasksQuery = Pick<StoredTask, "component_type" | "component_id"> & {
  /** Whose; undefined for everybody's. */
  readonly owner: string | null | undefined;
  readonly session_id: string | undefined;
  /** Any of these. */
  readonly statuses: readonly RunStatus[] | undefined;
  /** Not changed before this; epoch seconds. */
  readonly since: number | undefined;
};

/** Rows that a page of a query reads; a list of ordinary length needs one. */
const PAGE_ROWS = 101;

/**
 * Tasks, the latest change first.
 *
 * @param after  `task_changed` of the row before the first one
 */
export function listTasks(db: Db, asked: TasksQuery, after?: string): AsyncGenerator<TaskRow, undefined> {
  const streams = queriesOf(db, asked, after).map((query) =>
    rowsOf(db, { ...query, ScanIndexForward: false, Limit: PAGE_ROWS }),
  );
  return mergeSorted(streams, (a, b) => a.task_changed > b.task_changed);
}

/** How many there are. Reads their keys: about 8,000 of them cost what reading a megabyte does. */
export async function countTasks(db: Db, asked: TasksQuery): Promise<number> {
  const counts = await Promise.all(
    queriesOf(db, asked, undefined).map(async (query) => {
      let sum = 0;
      for await (const { Count = 0 } of queryPages(db, { ...query, Select: "COUNT" })) sum += Count;
      return sum;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

function queriesOf(db: Db, asked: TasksQuery, after: string | undefined): QueryCommandInput[] {
  const isOwn = asked.owner !== undefined;
  const partitions = asked.owner === undefined ? allTasks(asked) : [ownTasks(asked, asked.owner)];
  const { since = 0, session_id, statuses } = asked;
  const filters = [
    ...(session_id === undefined ? [] : ["session_id = :session"]),
    ...(statuses ? [`#status IN (${statuses.map((_, i) => `:status${i}`).join(", ")})`] : []),
  ];
  return partitions.map((partition) => ({
    TableName: db.tables.runs,
    IndexName: isOwn ? "by_task" : "by_component_task",
    KeyConditionExpression: `${isOwn ? "task_key" : "component_task_key"} = :partition AND task_changed BETWEEN :since AND :before`,
    ...(filters.length > 0 && { FilterExpression: filters.join(" AND ") }),
    ...(statuses && { ExpressionAttributeNames: { "#status": "status" } }),
    ExpressionAttributeValues: {
      ":partition": partition,
      ":since": changedKey(since, ""),
      ":before": after === undefined ? "~" : justBefore(after),
      ...(session_id !== undefined && { ":session": session_id }),
      ...Object.fromEntries((statuses ?? []).map((status, i) => [`:status${i}`, status])),
    },
  }));
}

/** The greatest key below one that ends with a hexadecimal digit. */
function justBefore(key: string): string {
  const last = key.charCodeAt(key.length - 1);
  return `${key.slice(0, -1)}${String.fromCharCode(last - 1)}~`;
}

async function* rowsOf(db: Db, query: QueryCommandInput): AsyncGenerator<TaskRow, undefined> {
  for await (const { Items = [] } of queryPages(db, query)) {
    yield* Items as TaskRow[]; // as the index projects them
  }
  return undefined;
}
