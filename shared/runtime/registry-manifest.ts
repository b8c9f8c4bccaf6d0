import * as v from "valibot";

/** Rights at AWS that a tool declares. */
const DeclaredPermission = v.object({ actions: v.array(v.string()), resources: v.array(v.string()) });

/** A tool that needs something which the platform must give it. */
const NeedyTool = v.object({
  /** As messages name it: `the tool charge_card`. */
  name: v.string(),
  secrets: v.array(v.string()),
  permissions: v.array(DeclaredPermission),
  /** Set on what starts a program of the machine: it cannot be deployed. */
  starts_program: v.optional(v.boolean()),
});

/**
 * What a registry declares, as the build writes it to `registry.json` beside the bundles. What makes the templates and
 * starts the platform reads it, and need not load the user's code.
 */
export const RegistryManifest = v.object({
  agents: v.array(v.string()),
  teams: v.array(v.string()),
  workflows: v.array(v.string()),
  tools: v.array(v.string()),
  /** The tools and sources of tools that declare secrets or permissions, or start a program. */
  needs: v.array(NeedyTool),
});
export type RegistryManifest = v.InferOutput<typeof RegistryManifest>;

/** Of a registry that declares nothing. */
export const emptyManifest: RegistryManifest = { agents: [], teams: [], workflows: [], tools: [], needs: [] };

/** Every secret that tools declare, by its name, with the tool that is named in messages about it. */
export const neededSecrets = (needs: RegistryManifest["needs"]): ReadonlyMap<string, string> =>
  new Map(needs.flatMap(({ name, secrets }) => secrets.map((secret) => [secret, name] as const)).reverse());
