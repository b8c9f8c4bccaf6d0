import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { runCommand } from "./run-command.ts";

export type Group = { readonly name: string; readonly files: number; readonly differing: readonly string[] };

/** Compares two folders of records file by file. A group is a folder in them; those that were recorded now count. */
export function compareRecords(before: string, after: string): Group[] {
  const names = [...new Set([...filesIn(before), ...filesIn(after)])].sort();
  const groups = Map.groupBy(names, (name) => name.split("/")[0] ?? "");
  const recorded = new Set(readdirSync(after));
  return [...groups]
    .filter(([name]) => recorded.has(name))
    .map(([name, files]) => ({
      name,
      files: files.length,
      differing: files.filter((file) => textOf(join(before, file)) !== textOf(join(after, file))),
    }));
}

const SHOWN_LINES = 60;

/** The first lines of the diff of a record. @param file  path in both folders */
export async function showDifference(before: string, after: string, file: string): Promise<string> {
  const [one, other] = [before, after].map((folder) => {
    const path = join(folder, file);
    return existsSync(path) ? path : "/dev/null";
  });
  const args = ["diff", "--no-index", "--no-color", "--unified=4", "--", one ?? "", other ?? ""];
  const lines = (await runCommand(before, "git", args)).output.split("\n").slice(4);
  const rest = lines.length - SHOWN_LINES;
  const more = rest > 0 ? [`… ${rest} more lines`] : [];
  return [`--- before ${file}`, `+++ after ${file}`, ...lines.slice(0, SHOWN_LINES), ...more].join("\n");
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join("/"));

const textOf = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, "utf8") : undefined;
