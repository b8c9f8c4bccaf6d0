import type { RegistryManifest } from "../../runtime/registry-manifest.ts";
import { allTools, needyParts, type Registry } from "./registry.ts";

/** What a registry declares, for those that do not load it. */
export function describeRegistry(registry: Registry): RegistryManifest {
  return {
    agents: registry.agents.map(({ id }) => id),
    teams: registry.teams.map(({ id }) => id),
    workflows: registry.workflows.map(({ id }) => id),
    tools: [...new Set(allTools(registry).map(({ name }) => name))],
    needs: needyParts(registry)
      .map(({ name, rights: { secrets = [], permissions = [] }, starts_program = false }) => ({
        name,
        secrets: [...secrets],
        permissions: permissions.map(({ actions, resources }) => ({
          actions: [...actions],
          resources: [...resources],
        })),
        ...(starts_program && { starts_program }),
      }))
      .filter(
        ({ secrets, permissions, starts_program }) =>
          secrets.length + permissions.length > 0 || starts_program === true,
      ),
  };
}
