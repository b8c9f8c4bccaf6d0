import type { AgentResponse, StepResponse, TeamResponse } from "../../../client/index.ts";
import type { Kind } from "../../api/kinds.ts";
import type { GraphedMember } from "../../graph/graph-of.ts";

/** What an agent, a team or a workflow is, for people: from the platform's description of it, or from a config. */
export type Described = {
  readonly description?: string;
  /** Absent for the platform's default, and for workflows. */
  readonly model?: string;
  readonly mode?: string;
  readonly instructions: readonly string[];
  readonly tools: readonly DescribedTool[];
  readonly members: readonly DescribedMember[];
  readonly steps: readonly DescribedStep[];
  /** The rest: names in words, values as text. */
  readonly settings: readonly (readonly [string, string])[];
};

export type DescribedTool = {
  readonly name: string;
  readonly description?: string;
  readonly flags: readonly string[];
};

export type DescribedMember = { readonly kind: Kind; readonly id: string; readonly name?: string };

export type DescribedStep = {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
  readonly runs?: DescribedMember;
  readonly flags: readonly string[];
  readonly steps: readonly DescribedStep[];
  readonly otherwise: readonly DescribedStep[];
};

type Fields = Readonly<Record<string, unknown>>;
export type WorkflowShown = {
  readonly description?: string | undefined;
  readonly metadata?: Fields | undefined;
  readonly steps?: readonly StepResponse[];
};

/** From what the platform says of a component that can be run. */
export function describedOf(shown: AgentResponse | TeamResponse | WorkflowShown): Described {
  if (!("is_factory" in shown) || !("db_id" in shown) || "steps" in shown) {
    const { description, steps = [], metadata } = shown as WorkflowShown;
    return {
      ...(description !== undefined && { description }),
      instructions: [],
      tools: [],
      members: [],
      steps: steps.map(stepOf),
      settings: settingsOf({ metadata }),
    };
  }
  const {
    id,
    name,
    description,
    is_factory,
    is_component,
    current_version,
    stage,
    db_id,
    model,
    tools,
    ...rest
  } = shown as AgentResponse & Partial<TeamResponse>;
  const { members = [], mode, system_message, sessions, memory, ...others } = rest;
  const { instructions, description: _, ...message } = system_message ?? {};
  const { session_table, ...history } = sessions ?? {};
  const { memory_table, ...remembering } = memory ?? {};
  const { tools: list = [], ...calls } = tools ?? {};
  return {
    ...(description !== undefined && { description }),
    ...(model && { model: `${model.provider} ${model.model}` }),
    ...(mode !== undefined && { mode }),
    instructions: textsOf(instructions),
    tools: list.map(toolOf),
    members: members.map((member) => ({
      kind: "members" in member ? ("team" as const) : ("agent" as const),
      id: member.id,
      ...(member.name !== undefined && { name: member.name }),
    })),
    steps: [],
    settings: settingsOf({ ...message, ...history, ...remembering, ...calls, ...others }),
  };
}

/** @param tools  that the platform knows, by name: a config names them only */
export function describedConfig(config: Fields, tools: ReadonlyMap<string, DescribedTool>): Described {
  const { name, id, description, model, mode, instructions, tools: named, members, steps, ...rest } = config;
  return {
    ...(typeof description === "string" && { description }),
    ...(model !== undefined && model !== null && { model: modelText(model) }),
    ...(typeof mode === "string" && { mode }),
    instructions: textsOf(instructions),
    tools: listOf(named).map((tool) => {
      const own = toolOf(typeof tool === "string" ? { name: tool } : (tool as Fields));
      const known = tools.get(own.name);
      if (!known) return own;
      return { ...known, ...own, flags: [...new Set([...known.flags, ...own.flags])] };
    }),
    members: listOf(members).flatMap(memberOf),
    steps: listOf(steps).map((step) => stepOf(step as Fields)),
    settings: settingsOf(rest),
  };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (one): one is string => typeof one === "string" && one !== "",
  );

export function modelText(model: unknown): string {
  if (typeof model === "string") return model;
  const { id, name, provider } = (model ?? {}) as Fields;
  return [provider, id ?? name].filter((part) => typeof part === "string").join(" ") || JSON.stringify(model);
}

/** What a tool does with people, in words. */
export function toolOf(tool: Fields): DescribedTool {
  const { name, description, requires_confirmation, requires_user_input, external_execution, approval_type } =
    tool;
  return {
    name: String(name ?? ""),
    ...(typeof description === "string" && { description }),
    flags: [
      ...(requires_confirmation ? ["asks a person first"] : []),
      ...(requires_user_input ? ["asks for input"] : []),
      ...(external_execution ? ["run by the caller"] : []),
      ...(approval_type === "required" ? ["needs an approval"] : []),
      ...(approval_type === "audit" ? ["recorded for audit"] : []),
    ],
  };
}

function memberOf(member: unknown): readonly DescribedMember[] {
  const { agent_id, team_id, name } = (member ?? {}) as Fields;
  const named = typeof name === "string" ? { name } : {};
  if (typeof agent_id === "string") return [{ kind: "agent", id: agent_id, ...named }];
  if (typeof team_id === "string") return [{ kind: "team", id: team_id, ...named }];
  return [];
}

/** A step of a config, or of the platform's description: they name what they run in two ways. */
function stepOf(step: Fields | StepResponse): DescribedStep {
  const {
    name,
    type,
    description,
    agent,
    team,
    agent_id,
    team_id,
    workflow_id,
    executor_ref,
    steps,
    choices,
  } = step as Fields;
  const review = (step as Fields).human_review as Fields | undefined;
  const idOf = (one: unknown): unknown => (one as Fields | undefined)?.id;
  const runs = (
    [
      ["agent", agent_id ?? idOf(agent)],
      ["team", team_id ?? idOf(team)],
      ["workflow", workflow_id],
    ] as const
  ).find(([, id]) => typeof id === "string");
  return {
    name: String(name ?? ""),
    type: String(type ?? "Step"),
    ...(typeof description === "string" && { description }),
    ...(runs && { runs: { kind: runs[0], id: String(runs[1]) } }),
    flags: [
      ...(typeof executor_ref === "string" ? [`function ${executor_ref}`] : []),
      ...(review?.requires_confirmation ? ["asks a person first"] : []),
      ...(review?.requires_user_input ? ["asks for input"] : []),
      ...(review?.requires_output_review ? ["its output is reviewed"] : []),
    ],
    steps: listOf(steps ?? choices).map((one) => stepOf(one as Fields)),
    otherwise: listOf((step as Fields).else_steps).map((one) => stepOf(one as Fields)),
  };
}

/** Settings that have a value, with names in words. */
function settingsOf(fields: Fields): readonly (readonly [string, string])[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [wordsOf(name), valueText(value)] as const)
    .filter(([, text]) => text !== "");
}

export const wordsOf = (name: string): string => {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export function valueText(value: unknown): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ");
  const text = JSON.stringify(value);
  return text === "{}" || text === "[]" ? "" : text;
}

/** A team as its graph is drawn. */
export const graphedTeam = (
  team: Pick<GraphedMember, "id" | "name">,
  { members }: Pick<Described, "members">,
): GraphedMember => ({
  ...team,
  members: members.map(({ id, name, kind }) => ({ id, name, ...(kind === "team" && { members: [] }) })),
});
