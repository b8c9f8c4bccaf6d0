import * as v from "valibot";
import { configStages } from "./component.ts";

/** A stored skill, as its `SKILL.md` describes it. What has no value is left out. */
export const SkillResponse = v.object({
  id: v.string(),
  name: v.string(),
  description: v.optional(v.string()),
  license: v.optional(v.string()),
  compatibility: v.optional(v.string()),
  /** In its author's words; they permit nothing here. */
  allowed_tools: v.optional(v.string()),
  metadata: v.optional(v.record(v.string(), v.string())),
  /** Paths of its files, sorted. */
  files: v.array(v.string()),
  is_component: v.literal(true),
  /** The version that is shown, and its stage: the live one, or the newest draft of one that was never published. */
  current_version: v.number(),
  stage: v.picklist(configStages),
});
export type SkillResponse = v.InferOutput<typeof SkillResponse>;
