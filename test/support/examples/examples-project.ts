import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesOf, isTemplate, templates, writeFiles } from "../../../package/create/make-project.ts";
import { PACKAGE_NAME } from "../../../package/name.ts";

const root = join(import.meta.dirname, "../../..");

/** The templates that are examples: all but the first one that a user is offered. */
export const exampleNames = Object.keys(templates)
  .filter(isTemplate)
  .filter((name) => name !== "assistant");

/**
 * Writes one project that hosts what all examples do, each in a folder of its own: so their functions are bundled once. Their package
 * is this checkout.
 *
 * @param registry  source of a file that exports what is hosted beside them, as `more`
 * @param config    source of its `agent-platform.config.ts`
 * @returns its folder
 */
export async function makeExamplesProject(registry: string, config: string): Promise<string> {
  mkdirSync(join(root, ".local"), { recursive: true });
  const folder = mkdtempSync(join(root, ".local/examples-"));
  for (const name of exampleNames) {
    const files = await filesOf({ template: name, model: "scripted", spec: "^1.0.0" }, name);
    await writeFiles(join(folder, name), files);
  }
  const scope = PACKAGE_NAME.split("/")[0] ?? "";
  mkdirSync(join(folder, "node_modules", scope), { recursive: true });
  symlinkSync(root, join(folder, "node_modules", PACKAGE_NAME), "junction");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "agent-platform.config.ts"), config);
  writeFileSync(join(folder, "more.ts"), registry);
  writeFileSync(join(folder, "registry.ts"), registryOfAll());
  return folder;
}

const registryOfAll = (): string =>
  [
    'import { more } from "./more.ts";',
    ...exampleNames.map((name, at) => `import { registry as r${at} } from "./${name}/registry.ts";`),
    `const all = [more, ${exampleNames.map((_, at) => `r${at}`).join(", ")}];`,
    "export const registry = {",
    ...["agents", "teams", "workflows"].map(
      (kind) => `  ${kind}: all.flatMap(({ ${kind} }) => ${kind} ?? []),`,
    ),
    "};",
    "",
  ].join("\n");
