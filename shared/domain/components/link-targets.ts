import type { ComponentType } from "../../schemas/components/component.ts";
import type { ComponentLink, VersionRecord } from "../../schemas/components/component-record.ts";
import { referencesOf } from "./references.ts";

/** Names an agent, a team, a workflow or a skill, declared or stored. */
export type Target = { readonly type: ComponentType; readonly id: string };

/** What a version links: `type` is undefined where only the target's own record says it, `version` for the live one. */
export type LinkTarget = {
  readonly type: ComponentType | undefined;
  readonly id: string;
  readonly version: number | undefined;
};

const typeOfKind = {
  member: undefined,
  step_agent: "agent",
  step_team: "team",
  step_workflow: "workflow",
  skill: "skill",
} as const satisfies Record<ComponentLink["link_kind"], ComponentType | undefined>;

/**
 * Everything that a version of a component links itself: what its links name, and what its config names without a link,
 * which runs at its live version.
 *
 * @param type  of the component
 */
export function linkTargetsOf(
  type: ComponentType,
  { config, links }: Pick<VersionRecord, "config" | "links">,
): LinkTarget[] {
  const references = referencesOf(type, config);
  const pins = links.map(({ link_kind, child_component_id: id, child_version: version }) => {
    const named = references.find((reference) => reference.id === id);
    return { type: typeOfKind[link_kind] ?? named?.type, id, version };
  });
  const named = references.map((reference) => {
    const version = pins.find(({ id }) => id === reference.id)?.version;
    return { type: reference.type, id: reference.id, version };
  });
  return [...named, ...pins];
}
