import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { importsByPath, type ReadSourceFile, sourceFiles } from "../imports/source-imports.ts";

/**
 * The files that differ from a revision, those that git does not track yet included.
 *
 * @param root      the project's folder
 * @param revision  a commit, a branch or a tag
 * @returns         paths from the top of the project
 */
export function changedFiles(root: string, revision: string): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
  const differing = git("diff", "--name-only", "--relative", revision, "--");
  return [...new Set([...differing, ...git("ls-files", "--others", "--exclude-standard")])];
}

/**
 * The test files that changed, or that import a changed file, by whatever way. What is no code, such as a document,
 * concerns the files that name it.
 *
 * A function is bundled, not imported, where a test calls it over HTTP. So a change in `functions/<name>/` also concerns
 * the rooms of the tests with that name.
 */
export function affectedTests(root: string, changed: readonly string[]): string[] {
  const files = sourceFiles(root);
  const edges = [...importsByPath(files)].flatMap(([path, targets]) =>
    targets.map((target) => ({ path, target })),
  );
  const importers = Map.groupBy(edges, ({ target }) => target);
  const reached = new Set<string>();
  const waiting = [...changed, ...changed.flatMap((path) => namersOf(files, path))];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const importer of importers.get(path) ?? []) waiting.push(importer.path);
  }
  const rooms = changed.flatMap((path) => /^functions\/([^/]+)\//.exec(path)?.[1] ?? []);
  const called = files.map(({ path }) => path).filter((path) => rooms.includes(roomOf(path)));
  return [...new Set([...reached, ...called])]
    .filter((path) => isTest(path) && existsSync(join(root, path)))
    .sort();
}

const roomOf = (path: string): string => /^test\/(?:long\/)?([^/]+)\//.exec(path)?.[1] ?? "";

const isTest = (path: string): boolean => path.startsWith("test/") && path.endsWith(".test.ts");

/** Code that has the name of a file in a text of its own, as where it reads it. */
const namersOf = (files: readonly ReadSourceFile[], path: string): string[] =>
  /\.tsx?$/.test(path)
    ? []
    : files.filter(({ source }) => source.includes(basename(path))).map((file) => file.path);
