import * as v from "valibot";

export const registryTypes = [
  "tool",
  "model",
  "db",
  "vector_db",
  "schema",
  "function",
  "agent",
  "team",
  "workflow",
  "skill",
  "knowledge",
  "memory_manager",
  "session_summary_manager",
  "learning",
] as const;

/** Something that is registered in code. */
export const RegistryEntry = v.object({
  name: v.string(),
  type: v.picklist(registryTypes),
  id: v.optional(v.string()),
  description: v.optional(v.string()),
  metadata: v.optional(v.record(v.string(), v.unknown())),
});
export type RegistryEntry = v.InferOutput<typeof RegistryEntry>;
