import type { TeamTasks } from "../../schemas/runs/team-task.ts";
import type { Execution } from "../run/execution.ts";
import { noTasks, shownTask, type Task, taskOf, taskSummary } from "./tasks.ts";
import type { LeadScope } from "./team-tool.ts";

/** Replaces a team's tasks and emits what has changed. */
export function changeTasks(next: TeamTasks, { batch, execution }: LeadScope): void {
  const before = batch.state().tasks ?? noTasks;
  batch.putTasks(next);
  for (const task of next.list) emitChange(task, taskOf(before, task.id), execution);
  const { goal_complete, completion_summary } = next;
  execution.emit({
    event: "TaskStateUpdated",
    task_summary: taskSummary(next),
    goal_complete,
    tasks: next.list.map(shownTask),
    ...(completion_summary !== null && { completion_summary }),
  });
}

function emitChange(task: Task, before: Task | undefined, { emit }: Execution): void {
  const { id: task_id, title, description, assignee, status, dependencies, result } = task;
  if (!before) {
    emit({ event: "TaskCreated", task_id, title, description, assignee, status, dependencies });
  } else if (before.status !== status) {
    emit({
      event: "TaskUpdated",
      task_id,
      title,
      status,
      previous_status: before.status,
      result,
      assignee,
    });
  }
}
