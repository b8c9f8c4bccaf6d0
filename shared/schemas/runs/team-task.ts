import * as v from "valibot";

/** @source docs/interface/runs.md 5.4 */
export const taskStatuses = ["pending", "in_progress", "completed", "failed", "blocked"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** One task of a team in mode `tasks`. */
export const TeamTask = v.object({
  id: v.string(),
  title: v.string(),
  description: v.string(),
  status: v.picklist(taskStatuses),
  /** Id of the member that does it; null if the leader does it itself. */
  assignee: v.nullable(v.string()),
  /** Ids of the tasks that must be completed first. */
  dependencies: v.array(v.string()),
  result: v.nullable(v.string()),
});
export type TeamTask = v.InferOutput<typeof TeamTask>;

/**
 * A team's progress with its tasks.
 *
 * @decided  The wire shows them in events only. A paused run needs them to resume, so its output has them too.
 */
export const TeamTasks = v.object({
  list: v.array(
    v.object({
      ...TeamTask.entries,
      /** The member's run that does it, once there is one. */
      member_run_id: v.optional(v.string()),
    }),
  ),
  /** Rounds that have started. */
  iteration: v.number(),
  /** Whether the last of them has not ended yet. */
  iterating: v.boolean(),
  goal_complete: v.boolean(),
  completion_summary: v.nullable(v.string()),
});
export type TeamTasks = v.InferOutput<typeof TeamTasks>;
