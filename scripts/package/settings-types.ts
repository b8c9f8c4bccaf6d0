import { settingNames } from "../../shared/settings/table.ts";
import { sentences } from "../settings-doc.ts";

/** As the compiler writes it. */
const DECLARED = 'export type ProjectSettings = Omit<GivenSettings, "stage">;';

/**
 * Gives each setting of a project its sentence, which an editor shows. The compiler's declaration has none: types that are made of
 * other types lose their comments.
 *
 * @param declaration  of `package/config/project-config.ts`
 * @throws Error where it does not declare the settings as expected, or one has no sentence
 */
export function describedSettings(declaration: string): string {
  if (!declaration.includes(DECLARED)) throw new Error(`there is no "${DECLARED}" in:\n${declaration}`);
  const said = sentences();
  const rows = settingNames
    .filter((name) => name !== "stage")
    .map((name) => {
      const sentence = said.get(name);
      if (!sentence) throw new Error(`shared/settings/ says nothing about ${name}`);
      return `    /** ${sentence} */\n    readonly ${name}?: GivenSettings["${name}"];\n`;
    });
  return declaration.replace(DECLARED, () => `export type ProjectSettings = {\n${rows.join("")}};`);
}
