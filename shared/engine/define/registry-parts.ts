import type { Tool } from "../tool/tool.ts";
import type { ToolRights } from "../tool/tool-rights.ts";
import type { Registry } from "./registry.ts";
import type { Member } from "./team.ts";
import { stepsBelow, type Workflow, type WorkflowStep } from "./workflow.ts";

/** Something that may declare secrets and permissions, by the name that messages give it. */
export type Needy = { readonly name: string; readonly rights: ToolRights };

/** Every tool, and every source of tools, that a run can use. */
export const needyParts = (registry: Registry): Needy[] => [
  ...allTools(registry).map((tool) => ({ name: `the tool ${tool.name}`, rights: tool })),
  ...[...new Set(allMembers(registry).flatMap(({ tool_sources }) => tool_sources))].map((source) => ({
    name: source.name,
    rights: source,
  })),
  ...allMembers(registry).flatMap((member) =>
    "remote" in member && member.remote?.secret !== undefined
      ? [{ name: `the remote agent ${member.id}`, rights: { secrets: [member.remote.secret] } }]
      : [],
  ),
];

/** Every tool that can be called, once. */
export const allTools = (registry: Registry): Tool[] => [
  ...new Set([...allMembers(registry).flatMap(({ tools }) => tools), ...(registry.parts?.tools ?? [])]),
];

/** Every agent and team that can be executed, at any level, once. */
export function allMembers({ agents, teams, workflows }: Registry): Member[] {
  const found = new Set<Member>();
  const add = (member: Member): void => {
    if (found.has(member)) return;
    found.add(member);
    if (member.kind === "team") member.members.forEach(add);
  };
  for (const member of [...agents, ...teams, ...workflows.flatMap(executorsIn)]) add(member);
  return [...found];
}

const executorsIn = ({ steps }: Workflow): Member[] => steps.flatMap(executorsOf);

function executorsOf(step: WorkflowStep): Member[] {
  if (step.type === "Workflow") return executorsIn(step.workflow);
  const own = step.type === "Step" && typeof step.executor !== "function" ? [step.executor] : [];
  return [...own, ...stepsBelow(step).flat().flatMap(executorsOf)];
}
