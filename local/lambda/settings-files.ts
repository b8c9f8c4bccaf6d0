import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SETTINGS_FILE } from "../../shared/settings/settings-file.ts";
import type { FunctionModel } from "../template/functions.ts";

/**
 * Writes the settings file of each function into a folder of its own: on AWS it is beside the code, which is here the same
 * for every platform on this machine.
 *
 * @returns the folder that a function is given as that of its code
 */
export function writeSettings(
  folder: string,
  functions: readonly Pick<FunctionModel, "name" | "settings">[],
): (name: string) => string {
  for (const { name, settings } of functions) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, SETTINGS_FILE), JSON.stringify(settings));
  }
  return (name) => join(folder, name);
}
