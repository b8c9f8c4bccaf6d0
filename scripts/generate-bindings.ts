/** Binds the rows of each family to the files of their handlers: `npm run routes`. */
import { readdirSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { families } from "../shared/routes/index.ts";
import { a2aRoutes } from "../shared/routes/protocols/a2a.ts";
import type { RouteTable } from "../shared/routes/route.ts";

const functions = join(import.meta.dirname, "../functions");

export type Binding = { readonly file: string; readonly text: string };

/**
 * The generated files. The handler of `createSchedule` is that export of `create-schedule.ts`, somewhere in the family's folder.
 * Rows without such a file are bound by hand, from tables that make a handler for each kind; a row that is bound nowhere
 * does not compile.
 */
export const bindings = (): readonly Binding[] =>
  Object.entries<RouteTable>(families).flatMap(([family, table]) => {
    const folder = join(functions, family);
    const files = new Map(sourcesIn(folder).map((path) => [basename(path, ".ts"), path]));
    const lines = Object.keys(table)
      .flatMap((operation) => {
        const path = files.get(kebab(operation));
        return path === undefined ? [] : [{ operation, path: relative(folder, path).replace(".ts", "") }];
      })
      .toSorted((one, other) => (one.path < other.path ? -1 : 1))
      .map(({ operation, path }) => `export { ${operation} } from "./${path}.ts";`);
    return byKind.has(table) || lines.length === 0
      ? []
      : [{ file: join(folder, "handlers.ts"), text: `${HEAD}\n${lines.join("\n")}\n` }];
  });

const HEAD = "// Generated from the route table by `npm run routes`; do not edit.";

/** They have all their handlers once for each kind, or from a protocol's table. */
const byKind: ReadonlySet<RouteTable> = new Set([families.runs, a2aRoutes]);

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => join(folder, path));

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

if (import.meta.main) for (const { file, text } of bindings()) writeFileSync(file, text);
