import { createHash } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { appended, exists, type Item, type Update, updateItem, write } from "../../data/index.ts";
import { mediaKinds } from "../../schemas/runs/media.ts";
import { RunStatus } from "../../schemas/runs/run.ts";
import type { Db } from "../db.ts";
import { eventsKey } from "./run-keys.ts";

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

type Reply = StoredTask["replies"][number];

/** Partitions of all tasks of one component, so that their changes have no hot key. */
const TASK_SHARDS = 4;

const taskKey = (runId: string) => ({ pk: eventsKey(runId), sk: "task" });

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

/** A stored task; undefined for a run that no message started. */
export async function getTask(db: Db, runId: string): Promise<StoredTask | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.runs, Key: taskKey(runId), ConsistentRead: true }),
  );
  return Item && v.parse(StoredTask, Item);
}

/**
 * The update that moves a task in its lists when its run changes. Refused when the task was removed with its session.
 *
 * @param now  epoch seconds
 */
export const markTask = (runId: string, status: RunStatus, now: number): Update =>
  updateItem("runs", taskKey(runId), {
    set: { status, changed_at: now, task_changed: changedKey(now, runId) },
    guard: exists,
  });

/** Texts of replies are stored to be shown; longer ones are cut. */
const MAX_TEXT_CHARS = 4_000;

/**
 * Records that a message has continued a paused task.
 *
 * @param now  epoch seconds
 */
export async function replyToTask(db: Db, runId: string, reply: Reply, now: number): Promise<void> {
  const mark = markTask(runId, "PENDING", now);
  // If the task was removed with its session, the reply is not needed.
  await write(db, { ...mark, set: { ...mark.set, replies: appended([stored(reply)]) } });
}

/** Records what was said to a task that is not done; its status may change in the same moment, and is left as it is. */
export async function noteReply(db: Db, runId: string, reply: Reply): Promise<void> {
  const set = { replies: appended([stored(reply)]) };
  await write(db, updateItem("runs", taskKey(runId), { set, guard: exists }));
}

function stored({ question, ...reply }: Reply): Reply {
  return {
    ...{ ...reply, text: reply.text.slice(0, MAX_TEXT_CHARS) },
    ...(question !== undefined && { question: question.slice(0, MAX_TEXT_CHARS) }),
  };
}
