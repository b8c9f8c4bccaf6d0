import { createHash } from "node:crypto";
import * as v from "valibot";
import type { Item } from "../../../data/item.ts";
import { mediaKinds } from "../../../schemas/runs/media.ts";
import { RunStatus } from "../../../schemas/runs/run.ts";
import { eventsKey } from "../run-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const TASK_SHAPE = 2;

/** A part of a message, by its place in the run's input, which has texts and data in order, each on a line, and files by kind. */
const SentPart = v.variant("kind", [
  v.object({ kind: v.picklist(["text", "data"]), characters: v.number() }),
  v.object({ kind: v.picklist(mediaKinds), index: v.number() }),
]);
export type SentPart = v.InferOutput<typeof SentPart>;

/**
 * A second item of a run that another agent's message started. By it the run is found by its id alone and listed by its
 * last change; it also has the ids of the messages that were sent to the run. All else is in the run.
 */
export const StoredTask = v.object({
  run_id: v.string(),
  session_id: v.string(),
  owner: v.nullable(v.string()),
  component_type: v.picklist(["agent", "team", "workflow"]),
  component_id: v.string(),
  /** The sender's id; several messages may have the same. */
  message_id: v.string(),
  /** Of the message that started it; absent before shape 2. */
  parts: v.optional(v.array(SentPart)),
  /** As of its last end or pause. PENDING means that it waits or is executed: only the run says which. */
  status: RunStatus,
  /** When it was last queued, paused or ended; epoch seconds. */
  changed_at: v.number(),
  /** Messages that continued it, oldest first, each with what the run had asked; not asked for before shape 2. */
  replies: v.array(v.object({ message_id: v.string(), text: v.string(), question: v.optional(v.string()) })),
});
export type StoredTask = v.InferOutput<typeof StoredTask>;

/** Partitions of all tasks of one component, so that their changes have no hot key. */
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
