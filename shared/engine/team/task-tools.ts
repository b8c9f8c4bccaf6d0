import * as v from "valibot";
import { outputMedia } from "../../domain/runs/output-media.ts";
import type { Team } from "../define/team.ts";
import type { MemberRun } from "../run/run-state.ts";
import {
  changeTasks,
  dependencyError,
  noTasks,
  obstacleOf,
  type Task,
  taskOf,
  taskSummary,
  withChange,
  withNewTask,
} from "./tasks.ts";
import {
  beginMemberRun,
  defineTeamTool,
  type LeadScope,
  memberAnswer,
  memberId,
  refused,
  succeeded,
  type TeamTool,
} from "./team-tool.ts";

/** The tools of a leader that works on a list of tasks. */
export const taskTools = (team: Team): readonly TeamTool[] => [
  createTask(team),
  updateTask(team),
  runTasks(team),
  completeGoal,
];

const tasksIn = ({ batch }: LeadScope) => batch.state().tasks ?? noTasks;

const TaskId = v.pipe(v.string(), v.description("id of the task, such as task-1"));
const Dependencies = v.optional(
  v.pipe(v.array(v.string()), v.description("ids of the tasks that must be completed first")),
);

const createTask = (team: Team) =>
  defineTeamTool({
    name: "create_task",
    description: "Put a task on the list. A task without an assignee is yours to do.",
    parameters: v.object({
      title: v.pipe(v.string(), v.nonEmpty()),
      description: v.optional(
        v.pipe(v.string(), v.description("what to do, with all that must be known to do it")),
      ),
      assignee: v.optional(memberId(team)),
      dependencies: Dependencies,
    }),
    lead({ title, description = title, assignee = null, dependencies = [] }, scope) {
      const error = dependencyError(dependencies, tasksIn(scope));
      if (error !== undefined) return refused(error);
      const next = withNewTask(tasksIn(scope), { title, description, assignee, dependencies });
      changeTasks(next, scope);
      return succeeded(`${next.list.at(-1)?.id} is ${next.list.at(-1)?.status}. ${taskSummary(next)}`);
    },
  });

const updateTask = (team: Team) =>
  defineTeamTool({
    name: "update_task",
    description: "Change a task: say how one of yours ended, resume a failed one, assign or reorder.",
    parameters: v.object({
      task_id: TaskId,
      status: v.optional(v.picklist(["pending", "completed", "failed"])),
      result: v.optional(v.string()),
      assignee: v.optional(memberId(team)),
      dependencies: Dependencies,
    }),
    lead({ task_id, status, result, assignee, dependencies }, scope) {
      const tasks = tasksIn(scope);
      const task = taskOf(tasks, task_id);
      if (!task) return refused(`There is no task ${task_id}.`);
      if (task.status === "in_progress") return refused(`${task_id} is in progress: a member works on it.`);
      const error = dependencies && dependencyError(dependencies, tasks, task_id);
      if (error !== undefined) return refused(error);
      const next = withChange(tasks, task_id, {
        ...(status && { status }),
        ...(status === "pending" && { result: null }),
        ...(result !== undefined && { result }),
        ...(assignee !== undefined && { assignee }),
        ...(dependencies && { dependencies }),
      });
      changeTasks(next, scope);
      return succeeded(`${task_id} is ${taskOf(next, task_id)?.status}. ${taskSummary(next)}`);
    },
  });

const runTasks = (team: Team) =>
  defineTeamTool({
    name: "run_tasks",
    description:
      "Have members do tasks, side by side: those that are named, or all that are ready. A task is ready when it has an assignee and everything that it depends on is completed.",
    parameters: v.object({ task_ids: v.optional(v.array(TaskId)) }),
    lead({ task_ids }, scope) {
      const tasks = tasksIn(scope);
      const unknown = task_ids?.find((id) => !taskOf(tasks, id));
      if (unknown !== undefined) return refused(`There is no task ${unknown}.`);
      const selected = tasks.list.filter(({ id }) => task_ids?.includes(id) ?? true);
      const ready = selected.filter((task) => obstacleOf(task, tasks) === undefined);
      const obstacles = selected.map((task) => `${task.id}: ${obstacleOf(task, tasks) ?? "ready"}.`);
      if (ready.length === 0 || (task_ids && ready.length < selected.length)) {
        return refused(["Nothing was run.", ...obstacles].join(" "));
      }
      return { runs: beginTasks(ready, scope) };
    },
    ended(run, scope) {
      const task = tasksIn(scope).list.find(({ member_run_id }) => member_run_id === run.run_id);
      if (!task) return;
      const { text, failed } = memberAnswer(run, team);
      const status = failed ? "failed" : "completed";
      changeTasks(withChange(tasksIn(scope), task.id, { status, result: text }), scope);
    },
    conclude(runs, scope) {
      const done = tasksIn(scope).list.filter(({ member_run_id }) =>
        runs.some(({ run_id }) => run_id === member_run_id),
      );
      return {
        text: [
          ...done.map(({ id, title, status, result }) => `${id} (${title}) is ${status}: ${result ?? ""}`),
          taskSummary(tasksIn(scope)),
        ].join("\n\n"),
        failed: done.every(({ status }) => status === "failed"),
        media: outputMedia(...runs.map((run) => memberAnswer(run, team).media ?? {})),
      };
    },
  });

function beginTasks(ready: readonly Task[], scope: LeadScope): MemberRun[] {
  const begun = ready.flatMap((task) =>
    // Only a task with an assignee is ready.
    task.assignee === null ? [] : [{ task, run: beginMemberRun(task.assignee, task.description, scope) }],
  );
  const next = begun.reduce(
    (tasks, { task, run }) =>
      withChange(tasks, task.id, { status: "in_progress", member_run_id: run.run_id }),
    tasksIn(scope),
  );
  changeTasks(next, scope);
  return begun.map(({ run }) => run);
}

/** @decided  The summary is the team's answer; the leader's model is not called for another one. */
const completeGoal = defineTeamTool({
  name: "complete_goal",
  description: "Declare that the goal is reached. The summary is the answer to the user.",
  parameters: v.object({ summary: v.pipe(v.string(), v.nonEmpty()) }),
  stop_after_tool_call: true,
  lead({ summary }, scope) {
    const tasks = tasksIn(scope);
    const open = tasks.list.filter(({ status }) => status === "pending" || status === "in_progress");
    if (open.length > 0) return refused(`Not done yet: ${open.map(({ id }) => id).join(", ")}.`);
    changeTasks({ ...tasks, goal_complete: true, completion_summary: summary }, scope);
    return succeeded(summary);
  },
});
