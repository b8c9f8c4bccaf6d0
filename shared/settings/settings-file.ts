import { readFileSync } from "node:fs";
import * as v from "valibot";

/**
 * Name of the file beside a function's bundle that holds its settings: a JSON object, variable → text. It takes what is
 * known when the template is made. Lambda refuses an environment of more than 4 KB, and knowledge bases or a key set
 * alone are larger.
 */
export const SETTINGS_FILE = "settings.json";

const Settings = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));

/**
 * The settings that were deployed with a function's code.
 *
 * @param codeFolder  Lambda's `LAMBDA_TASK_ROOT`; undefined outside of a function, where there are none
 * @throws Error when the function has no such file: without its settings it would go on with defaults, such as no daily
 *         budget
 */
export function settingsOfCode(codeFolder: string | undefined): Readonly<Record<string, string>> {
  if (codeFolder === undefined) return {};
  const file = `${codeFolder}/${SETTINGS_FILE}`;
  try {
    return v.parse(Settings, readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`settings cannot be read: ${file}`, { cause });
  }
}
