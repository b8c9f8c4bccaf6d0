import type { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import type { SettingValues } from "../../shared/settings/table.ts";

/** Sources of tools that start a program, which no function has beside it: refused before they are deployed. */
export const programProblems = (
  { stage }: Pick<SettingValues, "stage">,
  needs: RegistryManifest["needs"],
): string[] =>
  (stage === "local" ? [] : needs.filter(({ starts_program }) => starts_program)).map(
    ({ name }) =>
      `tool_sources: ${name} is a program (command), which only npm start can start; give the url of a server instead`,
  );
