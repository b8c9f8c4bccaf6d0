import * as v from "valibot";
import type { TeamTaskEventBody } from "../../schemas/runs/run-event.ts";
import { TeamTask } from "../../schemas/runs/team-task.ts";
import { agentEvents } from "./agent-events.ts";
import type { EventTable } from "./event-table.ts";

const text = v.string();
const task = TeamTask.entries;
const iteration = { iteration: v.number(), max_iterations: v.number() };

const taskEvents = {
  TaskIterationStarted: v.object(iteration),
  TaskIterationCompleted: v.object({ ...iteration, task_summary: text }),
  TaskStateUpdated: v.object({
    task_summary: text,
    goal_complete: v.boolean(),
    tasks: v.array(TeamTask),
    completion_summary: v.exactOptional(text),
  }),
  TaskCreated: v.object({
    task_id: text,
    title: task.title,
    description: task.description,
    assignee: task.assignee,
    status: task.status,
    dependencies: task.dependencies,
  }),
  TaskUpdated: v.object({
    task_id: text,
    previous_status: task.status,
    title: task.title,
    status: task.status,
    result: task.result,
    assignee: task.assignee,
  }),
} satisfies EventTable<TeamTaskEventBody>;

const { CustomEvent, ...ofAgents } = agentEvents;
const { workflow_agent: _, ...content } = ofAgents.RunContent.entries;

/**
 * Events of a team's run, without the `Team` prefix of their types: those of an agent's run, without its field for
 * workflow agents, and those of tasks.
 */
export const teamEvents = { ...ofAgents, ...taskEvents, RunContent: v.object(content) };

/** Those whose types have no prefix. */
export const unprefixedEvents = { CustomEvent };
