import type { QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import type { RunStatus } from "../../../schemas/runs/run.ts";
import { type Db, queryPages } from "../../db.ts";
import { mergeSorted } from "../../listing/listed-rows.ts";
import { allTasks, changedKey, ownTasks, type StoredTask } from "../task-item.ts";

/** What the indexes carry of a task. */
export type TaskRow = Pick<StoredTask, "run_id" | "session_id" | "owner" | "status"> & {
  readonly task_changed: string;
};

export type TasksQuery = Pick<StoredTask, "component_type" | "component_id"> & {
  /** Whose tasks; undefined for everybody's. */
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
export function listTasks(db: Db, query: TasksQuery, after?: string): AsyncGenerator<TaskRow, undefined> {
  const streams = queriesOf(db, query, after).map((input) =>
    rowsOf(db, { ...input, ScanIndexForward: false, Limit: PAGE_ROWS }),
  );
  return mergeSorted(streams, (a, b) => a.task_changed > b.task_changed);
}

/** How many tasks match. Reads their keys: about 8,000 of them cost as much as reading a megabyte. */
export async function countTasks(db: Db, query: TasksQuery): Promise<number> {
  const counts = await Promise.all(
    queriesOf(db, query, undefined).map(async (input) => {
      let sum = 0;
      for await (const { Count = 0 } of queryPages(db, { ...input, Select: "COUNT" })) sum += Count;
      return sum;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

function queriesOf(db: Db, query: TasksQuery, after: string | undefined): QueryCommandInput[] {
  const isOwn = query.owner !== undefined;
  const partitions = query.owner === undefined ? allTasks(query) : [ownTasks(query, query.owner)];
  const { since = 0, session_id, statuses } = query;
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
