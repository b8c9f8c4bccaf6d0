import type { DeclaredSchema } from "../tool/declared-schema.ts";
import type { Tool } from "../tool/tool.ts";
import type { ToolRights } from "../tool/tool-rights.ts";
import type { Agent } from "./agent.ts";
import type { RunnableKind } from "./runnable.ts";
import type { Member, Team } from "./team.ts";
import { type StepFunction, stepsBelow, type Workflow, type WorkflowStep } from "./workflow.ts";

/** What this instance hosts, as `registry/index.ts` declares it. */
export type Registry = {
  readonly agents: readonly Agent[];
  readonly teams: readonly Team[];
  readonly workflows: readonly Workflow[];
  /** The only parts that the configs of stored components may name. */
  readonly parts?: RegisteredParts;
};

/**
 * Declares what an instance hosts. What is left out is empty.
 *
 * @example export const registry = defineRegistry({ agents: [assistant] });
 */
export const defineRegistry = (registry: Partial<Registry>): Registry => ({
  agents: [],
  teams: [],
  workflows: [],
  ...registry,
});

/** Parts that stored components are put together from, by name. */
export type RegisteredParts = {
  readonly tools?: readonly Tool[];
  /** Folders of skills, as in the `skills` of an agent. */
  readonly skills?: readonly string[];
  /** Model specifications, beside the default one and those of the declared agents and teams. */
  readonly models?: readonly string[];
  readonly schemas?: Readonly<Record<string, DeclaredSchema>>;
  /** What a workflow's steps, conditions and routers may call. */
  readonly functions?: Readonly<Record<string, StepFunction>>;
};

/** Something that may declare secrets and permissions, by the name that messages give it. */
export type Needy = {
  readonly name: string;
  readonly rights: ToolRights;
  /** Whether it starts a program, which is there on one machine alone. */
  readonly starts_program?: boolean | undefined;
};

/** Every tool, and every source of tools, that a run can use. */
export const needyParts = (registry: Registry): Needy[] => [
  ...allTools(registry).map((tool) => ({ name: `the tool ${tool.name}`, rights: tool })),
  ...[...new Set(allMembers(registry).flatMap(({ tool_sources }) => tool_sources))].map((source) => ({
    name: source.name,
    rights: source,
    starts_program: source.starts_program,
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

/** What code declares, by kind and id. An id that code declares is not used by anything stored, whatever its kind. */
export const declaredIn = ({
  agents,
  teams,
  workflows,
}: Pick<Registry, "agents" | "teams" | "workflows">): readonly {
  readonly type: RunnableKind;
  readonly id: string;
}[] => [...agents, ...teams, ...workflows].map(({ kind, id }) => ({ type: kind, id }));
