import * as v from "valibot";
import { Component, ConfigVersion } from "./component.ts";

const linkKinds = ["member", "step_agent", "step_team", "step_workflow", "skill"] as const;

/** A link from a version of a parent to a version of a child. */
export const ComponentLink = v.object({
  link_kind: v.picklist(linkKinds),
  link_key: v.string(),
  child_component_id: v.string(),
  child_version: v.number(),
  position: v.optional(v.number()),
  meta: v.optional(v.record(v.string(), v.unknown())),
});
export type ComponentLink = v.InferOutput<typeof ComponentLink>;

/** A component as it is stored. */
export const ComponentRecord = v.object({
  ...Component.entries,
  /** Rises with every change of the component or of one of its versions; a change based on an old one is refused. */
  revision: v.number(),
  /** The number of the next version. It never falls, so that no number is used twice. */
  next_version: v.number(),
  living_versions: v.number(),
  /** Ids of all components that a version of this one has ever linked. */
  children: v.array(v.string()),
});
export type ComponentRecord = v.InferOutput<typeof ComponentRecord>;

/** A version as it is stored. */
export const VersionRecord = v.object({
  ...ConfigVersion.entries,
  config: v.record(v.string(), v.unknown()),
  links: v.array(ComponentLink),
  /** Set if the request gave the links, so that they are not derived from the config again. */
  links_given: v.optional(v.literal(true)),
});
export type VersionRecord = v.InferOutput<typeof VersionRecord>;
