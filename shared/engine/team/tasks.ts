import type { TeamTask, TeamTasks } from "../../schemas/runs/team-task.ts";
import type { Execution } from "../run/execution.ts";
import type { LeadScope } from "./team-tool.ts";

export type Task = TeamTasks["list"][number];

export const noTasks: TeamTasks = {
  list: [],
  iteration: 0,
  iterating: false,
  goal_complete: false,
  completion_summary: null,
};

export const taskOf = ({ list }: TeamTasks, task_id: string): Task | undefined =>
  list.find(({ id }) => id === task_id);

/** The tasks with a new pending one. */
export function withNewTask(
  tasks: TeamTasks,
  task: Pick<TeamTask, "title" | "description" | "assignee" | "dependencies">,
): TeamTasks {
  const id = `task-${tasks.list.length + 1}`;
  return withBlocked({ ...tasks, list: [...tasks.list, { id, ...task, status: "pending", result: null }] });
}

/** The tasks with one of them changed. Tasks that depend on a failed one are blocked while it is failed. */
export const withChange = (tasks: TeamTasks, task_id: string, change: Partial<Task>): TeamTasks =>
  withBlocked({
    ...tasks,
    list: tasks.list.map((task) => (task.id === task_id ? { ...task, ...change } : task)),
  });

/** Repeats until nothing changes, because a blocked task blocks those that depend on it. */
function withBlocked(tasks: TeamTasks): TeamTasks {
  const next = { ...tasks, list: tasks.list.map((task) => ({ ...task, status: statusOf(task, tasks) })) };
  const isStable = next.list.every(({ status }, i) => status === tasks.list[i]?.status);
  return isStable ? next : withBlocked(next);
}

function statusOf(task: Task, tasks: TeamTasks): Task["status"] {
  if (task.status !== "pending" && task.status !== "blocked") return task.status;
  const isBlocked = task.dependencies.some((id) =>
    ["failed", "blocked"].includes(taskOf(tasks, id)?.status ?? ""),
  );
  return isBlocked ? "blocked" : "pending";
}

/** Why a task cannot be run now; undefined when it can. */
export function obstacleOf({ status, assignee, dependencies }: Task, tasks: TeamTasks): string | undefined {
  if (status !== "pending") return `it is ${status}`;
  if (assignee === null) return "it has no assignee: do it yourself and update it, or assign it";
  const open = dependencies.filter((id) => taskOf(tasks, id)?.status !== "completed");
  return open.length > 0 ? `it waits for ${open.join(", ")}` : undefined;
}

/** An error for an unknown dependency, or a task that would wait for itself; undefined when all are valid. */
export function dependencyError(
  dependencies: readonly string[],
  tasks: TeamTasks,
  task_id?: string,
): string | undefined {
  const unknown = dependencies.find((id) => !taskOf(tasks, id));
  if (unknown !== undefined) return `There is no task ${unknown}.`;
  const isCycle = task_id !== undefined && reaches(dependencies, task_id, tasks);
  return isCycle ? `${task_id} would wait for itself.` : undefined;
}

const reaches = (from: readonly string[], task_id: string, tasks: TeamTasks): boolean =>
  from.some((id) => id === task_id || reaches(taskOf(tasks, id)?.dependencies ?? [], task_id, tasks));

/** The results of the tasks that the task of a member's run depends on. @param run_id of that run */
export function dependencyResults(tasks: TeamTasks = noTasks, run_id: string): string {
  const task = tasks.list.find(({ member_run_id }) => member_run_id === run_id);
  return (task?.dependencies ?? [])
    .flatMap((id) => taskOf(tasks, id) ?? [])
    .map(({ title, result }) => `${title}: ${result ?? ""}`)
    .join("\n\n");
}

/** The tasks' progress in a sentence. */
export function taskSummary({ list }: TeamTasks): string {
  if (list.length === 0) return "There are no tasks.";
  const count = (status: Task["status"]) => list.filter((task) => task.status === status).length;
  const others = (["in_progress", "pending", "failed", "blocked"] as const)
    .filter((status) => count(status) > 0)
    .map((status) => `${count(status)} ${status.replace("_", " ")}`);
  return `${[`${count("completed")} of ${list.length} tasks completed`, ...others].join(", ")}.`;
}

/** A task as the wire shows it. */
const shownTask = ({ member_run_id: _, ...task }: Task): TeamTask => task;

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
