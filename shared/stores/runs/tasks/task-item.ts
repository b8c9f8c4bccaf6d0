import { createHash } from "node:crypto";
import * as v from "valibot";
import { RunStatus } from "../../../schemas/runs/run.ts";
import type { Item } from "../../transact.ts";
import { eventsKey } from "../run-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const TASK_SHAPE = 1;

/**
 * What a run has besides that was begun by another agent's message: how it is found by its id alone and listed by its
 * last change, and the ids of the messages that it was told. The run itself says all else.
 */
export const StoredTask = v.object({
  run_id: v.string(),
  session_id: v.string(),
  owner: v.nullable(v.string()),
  component_type: v.picklist(["agent", "team", "workflow"]),
  component_id: v.string(),
  /** As its sender named it; several messages may have the same. */
  message_id: v.string(),
  /** As of its last rest. PENDING says that it waits or is executed: only the run tells which. */
  status: RunStatus,
  /** When it last began to wait or came to rest; epoch seconds. */
  changed_at: v.number(),
  /** Messages that went on with it, oldest first. */
  replies: v.array(v.object({ message_id: v.string(), text: v.string() })),
});
export type StoredTask = v.InferOutput<typeof StoredTask>;

/** Tasks of one component that everybody's list reads; its changes are spread over so many partitions. */
const TASK_SHARDS = 4;

export const taskKey = (runId: string) => ({ pk: eventsKey(runId), sk: "task" });

type Component = Pick<StoredTask, "component_type" | "component_id">;

const componentPart = ({ component_type, component_id }: Component): string =>
  `${component_type}#${encodeURIComponent(component_id)}`;

/** Partition of the index by_task: one user's tasks of one component. */
export const ownTasks = (component: Component, owner: string | null): string =>
  `${componentPart(component)}#${encodeURIComponent(owner ?? "")}`;

/** Partitions of the index by_component_task: everybody's tasks of one component. */
export const allTasks = (component: Component): string[] =>
  Array.from({ length: TASK_SHARDS }, (_, shard) => `${componentPart(component)}#${shard}`);

const shardOf = (runId: string): number =>
  (createHash("sha256").update(runId).digest()[0] ?? 0) % TASK_SHARDS;

/** Sorts by change, then by id, which rises with creation. @param changedAt epoch seconds */
export const changedKey = (changedAt: number, runId: string): string =>
  `${String(changedAt).padStart(12, "0")}#${runId}`;

export const taskItem = (task: StoredTask): Item => ({
  ...taskKey(task.run_id),
  ...task,
  task_key: ownTasks(task, task.owner),
  component_task_key: `${componentPart(task)}#${shardOf(task.run_id)}`,
  task_changed: changedKey(task.changed_at, task.run_id),
  shape: TASK_SHAPE,
});
