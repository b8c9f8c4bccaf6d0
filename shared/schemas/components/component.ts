import * as v from "valibot";

/** What can be run. */
export const runnableTypes = ["agent", "team", "workflow"] as const;
export const componentTypes = [...runnableTypes, "skill"] as const;
export type ComponentType = (typeof componentTypes)[number];
export const ComponentType = v.picklist(componentTypes);

export const configStages = ["draft", "published"] as const;
export type ConfigStage = (typeof configStages)[number];

const instant = v.number();

/** A stored agent, team, workflow or skill. What has no value is left out. */
export const Component = v.object({
  component_id: v.string(),
  component_type: ComponentType,
  name: v.string(),
  description: v.optional(v.string()),
  /** The published version that is live; absent while nothing is published. */
  current_version: v.optional(v.number()),
  metadata: v.optional(v.record(v.string(), v.unknown())),
  /** Its owner; absent if it has none. */
  user_id: v.optional(v.string()),
  created_at: instant,
  updated_at: v.optional(instant),
  /** Only on archived ones. */
  deleted_at: v.optional(instant),
});
export type Component = v.InferOutput<typeof Component>;

/**
 * One numbered version of a component. The `config` is left out if it was not requested.
 *
 * @source docs/interface/components.md 1.2
 */
export const ConfigVersion = v.object({
  component_id: v.string(),
  version: v.number(),
  label: v.optional(v.string()),
  stage: v.picklist(configStages),
  config: v.optional(v.record(v.string(), v.unknown())),
  notes: v.optional(v.string()),
  created_at: instant,
  updated_at: v.optional(instant),
});
export type ConfigVersion = v.InferOutput<typeof ConfigVersion>;
