import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/** The folders of the project's sources; tests are beside them. */
export const sourceRoots = [
  "bench",
  "bin",
  "build",
  "client",
  "console",
  "functions",
  "lib",
  "local",
  "package",
  "registry",
  "scripts",
  "shared",
];

/** A file and what it imports. Paths are from the top of the project. */
export type SourceFile = { readonly path: string; readonly specifiers: readonly string[] };
export type ReadSourceFile = SourceFile & { readonly source: string };

/** Every file of the project's code. @param root  the project's folder */
export function sourceFiles(root: string): ReadSourceFile[] {
  return [...sourceRoots, "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => posix.join(folder, name))
      .map((path) => ({ path, source: readFileSync(join(root, path), "utf8") }))
      .map((file) => ({ ...file, specifiers: specifiersOf(file.source) })),
  );
}

/** What a file imports or exports from, at its start or later on demand, types included. */
export function specifiersOf(source: string): string[] {
  const statement = /^(?:import|export)\b(?:[^"';=]*?\bfrom)?\s*["']([^"']+)["']/gm;
  const onDemand = /\bimport\(\s*["']([^"']+)["']/g;
  return [...source.matchAll(statement), ...source.matchAll(onDemand)].map(([, specifier = ""]) => specifier);
}

export const isRelative = (specifier: string): boolean => specifier.startsWith(".");

/** The path that a relative specifier of a file names. */
export const pathOf = (from: string, specifier: string): string => posix.join(dirname(from), specifier);

/** The paths that each file imports from the project, whether there are such files or not. */
export const importsByPath = (files: readonly SourceFile[]): Map<string, readonly string[]> =>
  new Map(
    files.map(({ path, specifiers }) => [
      path,
      specifiers.filter(isRelative).map((specifier) => pathOf(path, specifier)),
    ]),
  );
