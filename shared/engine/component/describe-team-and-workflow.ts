import { DB_ID } from "../../domain/databases/database.ts";
import type { AgentResponse } from "../../schemas/components/agent.ts";
import type { TeamResponse } from "../../schemas/components/team.ts";
import type { StepResponse, WorkflowResponse, WorkflowSummary } from "../../schemas/components/workflow.ts";
import type { Agent } from "../define/agent.ts";
import type { Team } from "../define/team.ts";
import type { Workflow, WorkflowStep } from "../define/workflow.ts";
import type { Models } from "../model/models.ts";
import { jsonSchemaOf } from "../tool/declared-schema.ts";
import { describeAgent } from "./describe-agent.ts";

/** A team as clients see it: its leader, its mode and its members. */
export function describeTeam(team: Team, models: Pick<Models, "describe">): TeamResponse {
  const { mode, members, stream_member_events, get_member_information_tool } = team;
  const leader = describeAgent({ ...team, kind: "agent" }, models);
  return {
    ...leader,
    ...(get_member_information_tool && {
      default_tools: { ...leader.default_tools, get_member_information_tool },
    }),
    mode,
    members: members.map((member) => describeMember(member, models)),
    ...(!stream_member_events && { streaming: { stream_member_events } }),
  };
}

/** An agent or a team, as it is shown within another. */
export const describeMember = (
  member: Agent | Team,
  models: Pick<Models, "describe">,
): AgentResponse | TeamResponse =>
  member.kind === "team" ? describeTeam(member, models) : describeAgent(member, models);

/** A workflow in a list. */
export function summarizeWorkflow({ id, name, description }: Workflow): WorkflowSummary {
  return {
    id,
    name,
    ...(description !== undefined && { description }),
    db_id: DB_ID,
    is_factory: false,
    is_component: false,
  };
}

/** A workflow with its steps and their nested steps. */
export function describeWorkflow(workflow: Workflow, models: Pick<Models, "describe">): WorkflowResponse {
  return {
    ...summarizeWorkflow(workflow),
    ...(workflow.input_schema && { input_schema: { ...jsonSchemaOf(workflow.input_schema) } }),
    ...(workflow.metadata && { metadata: { ...workflow.metadata } }),
    workflow_agent: false,
    steps: workflow.steps.map((step) => describeStep(step, models)),
  };
}

function describeStep(step: WorkflowStep, models: Pick<Models, "describe">): StepResponse {
  const { name, description } = step;
  const named = { name, ...(description !== undefined && { description }) };
  const all = (steps: readonly WorkflowStep[]) => steps.map((below) => describeStep(below, models));
  switch (step.type) {
    case "Step":
      return { ...named, ...executorOf(step.executor, models) };
    case "Steps":
    case "Parallel":
    case "Loop":
      return { ...named, type: step.type, steps: all(step.steps) };
    case "Condition":
      return {
        ...named,
        type: step.type,
        steps: all(step.steps),
        ...(step.else_steps && { else_steps: all(step.else_steps) }),
      };
    case "Router":
      return { ...named, type: step.type, steps: all(step.choices) };
    case "Workflow":
      return { ...named, type: step.type, workflow_id: step.workflow.id };
  }
}

type Executor = Extract<WorkflowStep, { type: "Step" }>["executor"];

function executorOf(executor: Executor, models: Pick<Models, "describe">) {
  if (typeof executor === "function") return { type: "Function" as const };
  return executor.kind === "team"
    ? { type: "Step" as const, team: describeTeam(executor, models) }
    : { type: "Step" as const, agent: describeAgent(executor, models) };
}
