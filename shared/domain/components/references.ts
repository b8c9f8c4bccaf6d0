import type { ComponentType } from "../../schemas/components/component.ts";
import type { ComponentLink } from "../../schemas/components/component-record.ts";

/** Another component that a config names. */
export type Reference = Pick<ComponentLink, "link_kind" | "link_key" | "position"> & {
  readonly type: ComponentType;
  readonly id: string;
};

type Config = Readonly<Record<string, unknown>>;

/**
 * The components that a config names: a team's members, and those of a workflow's steps at any depth. A member or a
 * step that names several gives all of them: whoever may not run one of them may not write it, whichever is executed.
 *
 * @source contract, components-and-platform A6 and A7
 */
export function referencesOf(type: ComponentType, config: Config): Reference[] {
  if (type === "team") return recordsOf(config.members).flatMap((member, at) => memberReferences(member, at));
  if (type === "workflow") return stepsOf(config.steps).flatMap((step, at) => stepReferences(step, at));
  return [];
}

function memberReferences(member: Config, position: number): Reference[] {
  return (["team", "agent"] as const).flatMap((type) => {
    const id = member[`${type}_id`];
    return typeof id === "string" ? [{ link_kind: "member", link_key: id, type, id, position }] : [];
  });
}

const stepKinds = [
  { name: "agent_id", type: "agent", link_kind: "step_agent" },
  { name: "team_id", type: "team", link_kind: "step_team" },
  { name: "workflow_id", type: "workflow", link_kind: "step_workflow" },
] as const;

function stepReferences(step: Config, position: number): Reference[] {
  return stepKinds.flatMap(({ name, type, link_kind }) => {
    const id = step[name];
    if (typeof id !== "string") return [];
    return [{ link_kind, link_key: String(step.step_id ?? step.name ?? id), type, id, position }];
  });
}

/** Every step of a tree of steps, under any kind of node. */
function stepsOf(steps: unknown): Config[] {
  return recordsOf(steps).flatMap((step) => [
    step,
    ...stepsOf(step.steps),
    ...stepsOf(step.else_steps),
    ...stepsOf(step.choices),
  ]);
}

const recordsOf = (list: unknown): Config[] =>
  Array.isArray(list) ? list.filter((one): one is Config => typeof one === "object" && one !== null) : [];
