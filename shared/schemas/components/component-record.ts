import * as v from "valibot";
import { Component, ConfigVersion } from "./component.ts";

const linkKinds = ["member", "step_agent", "step_team", "step_workflow"] as const;

/** A version of a parent holds a version of a child. @source contract, components-and-platform A6 */
export const ComponentLink = v.object({
  link_kind: v.picklist(linkKinds),
  link_key: v.string(),
  child_component_id: v.string(),
  child_version: v.number(),
  position: v.optional(v.number()),
  meta: v.optional(v.record(v.string(), v.unknown())),
});
export type ComponentLink = v.InferOutput<typeof ComponentLink>;

/** A component as it is kept. */
export const ComponentRecord = v.object({
  ...Component.entries,
  /** Rises with every change of the component or of one of its versions; a change is refused on an old one. */
  revision: v.number(),
  /** The number that the next version gets. It never falls, so that no number is used twice. */
  next_version: v.number(),
  living_versions: v.number(),
  /** Ids of all components that a version of this one has ever linked. */
  children: v.array(v.string()),
});
export type ComponentRecord = v.InferOutput<typeof ComponentRecord>;

/** A version as it is kept. */
export const VersionRecord = v.object({
  ...ConfigVersion.entries,
  config: v.record(v.string(), v.unknown()),
  links: v.array(ComponentLink),
  /** Set where the links were given and are not to be derived from the config again. */
  links_given: v.optional(v.literal(true)),
});
export type VersionRecord = v.InferOutput<typeof VersionRecord>;
