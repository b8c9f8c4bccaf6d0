import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CREATE_NAME, PACKAGE_NAME } from "../name.ts";

/**
 * What a new project depends on: where this package was installed from a tarball, the platform's beside it; else the version
 * that this one came with.
 *
 * @param root  folder of the package
 */
export function ownSpec(root: string = join(import.meta.dirname, "../..")): string {
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const modules = resolve(root, "../..");
  const { resolved = "" } = installedIn(modules).packages?.[`node_modules/${name}`] ?? {};
  const [, file] = /^file:(.+)$/.exec(resolved) ?? [];
  if (file === undefined) return `^${version}`;
  const tarball = resolve(dirname(modules), file);
  return `file:${tarball.replace(fileOf(CREATE_NAME), fileOf(PACKAGE_NAME))}`;
}

type Installed = {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
};

function installedIn(modules: string): Installed {
  try {
    return JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8"));
  } catch {
    return {};
  }
}

/** How npm calls the tarball of a package. */
const fileOf = (scoped: string): string => scoped.replace("@", "").replace("/", "-");
