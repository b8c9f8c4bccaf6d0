import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { PACKAGE_NAME } from "../name.ts";

/**
 * What a new project depends on so that it gets this very package: the file that it was installed from, else its version.
 *
 * @param root  folder of the package
 */
export async function ownSpec(root: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const modules = resolve(root, ...PACKAGE_NAME.split("/").map(() => ".."));
  const installed = await readFile(join(modules, ".package-lock.json"), "utf8").catch(() => "{}");
  const { resolved = "" } = JSON.parse(installed).packages?.[`node_modules/${PACKAGE_NAME}`] ?? {};
  const [, file] = /^file:(.+)$/.exec(resolved) ?? [];
  return file === undefined ? `^${version}` : `file:${resolve(dirname(modules), file)}`;
}
