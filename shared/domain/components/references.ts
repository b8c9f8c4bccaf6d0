import type { ComponentType } from "../../schemas/components/component.ts";
import type { ComponentLink } from "../../schemas/components/component-record.ts";

/** Another component that a config names. */
export type Reference = Pick<ComponentLink, "link_kind" | "link_key" | "position"> & {
  readonly type: ComponentType;
  readonly id: string;
  /** Of the value in the config, such as `steps[0].agent_id`. */
  readonly path: string;
};

type Config = Readonly<Record<string, unknown>>;
type Placed = { readonly value: Config; readonly at: number; readonly path: string };

/**
 * The components that a config names: a team's members, those of a workflow's steps at any depth, and the stored skills of agents
 * and leaders. A member or a step that names several gives all of them: whoever may not run one of them may not write it,
 * whichever is executed.
 */
export function referencesOf(type: ComponentType, config: Config): Reference[] {
  switch (type) {
    case "agent":
      return skillReferences(config);
    case "team":
      return [...recordsOf(config.members, "members").flatMap(memberReferences), ...skillReferences(config)];
    case "workflow":
      return stepsOf(config.steps, "steps").flatMap(stepReferences);
    case "skill":
      return [];
  }
}

const skillReferences = ({ skills }: Config): Reference[] =>
  recordsOf(skills, "skills").flatMap(({ value: { skill_id: id }, at: position, path }) =>
    typeof id === "string"
      ? [{ link_kind: "skill", link_key: id, type: "skill", id, position, path: `${path}.skill_id` }]
      : [],
  );

function memberReferences({ value: member, at: position, path }: Placed): Reference[] {
  return (["team", "agent"] as const).flatMap((type) => {
    const id = member[`${type}_id`];
    if (typeof id !== "string") return [];
    return [{ link_kind: "member", link_key: id, type, id, position, path: `${path}.${type}_id` }];
  });
}

const stepKinds = [
  { name: "agent_id", type: "agent", link_kind: "step_agent" },
  { name: "team_id", type: "team", link_kind: "step_team" },
  { name: "workflow_id", type: "workflow", link_kind: "step_workflow" },
] as const;

/** @param position  among all steps of the workflow */
function stepReferences({ value: step, path }: Placed, position: number): Reference[] {
  return stepKinds.flatMap(({ name, type, link_kind }) => {
    const id = step[name];
    if (typeof id !== "string") return [];
    const link_key = String(step.step_id ?? step.name ?? id);
    return [{ link_kind, link_key, type, id, position, path: `${path}.${name}` }];
  });
}

/** Every step of a tree of steps, under any kind of node. */
function stepsOf(steps: unknown, path: string): Placed[] {
  return recordsOf(steps, path).flatMap((placed) => [
    placed,
    ...["steps", "else_steps", "choices"].flatMap((below) =>
      stepsOf(placed.value[below], `${placed.path}.${below}`),
    ),
  ]);
}

/** The objects of a list. */
function recordsOf(list: unknown, path: string): Placed[] {
  if (!Array.isArray(list)) return [];
  const placed = list.map((value: unknown, at) => ({ value, at, path: `${path}[${at}]` }));
  return placed.filter((one): one is Placed => typeof one.value === "object" && one.value !== null);
}
