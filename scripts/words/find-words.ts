import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceRoots } from "../imports/source-imports.ts";
import { keptUses, unwantedWords } from "./unwanted-words.ts";

/** What is found in one file. */
export type FoundWord = { readonly word: string; readonly use: string };

/** Code, documents and texts of the console. */
const places = [...sourceRoots, "docs", "test"];
const files = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"];

/** They list the words, or are generated from what is checked. */
const leftOut = /^(scripts\/words\/|test\/scripts\/words\.test\.ts$|client\/operations\.ts$)/;

/** The unwanted words of every file that has some, by its path from the top of the project. */
export function unwantedWordsByFile(root: string): Map<string, FoundWord[]> {
  const found = new Map<string, FoundWord[]>();
  for (const path of textFiles(root)) {
    const words = unwantedIn(readFileSync(join(root, path), "utf8"), path);
    if (words.length > 0) found.set(path, words);
  }
  return found;
}

/** The unwanted words of a text: of its names, comments and sentences alike. @param path  of its file */
export function unwantedIn(text: string, path: string): FoundWord[] {
  const kept = keptUses.filter(({ below }) => path.startsWith(below));
  const plain = kept.reduce((rest, { use }) => rest.replace(use, ""), plainWords(text));
  return unwantedWords.flatMap(({ pattern, use }) =>
    [...plain.matchAll(pattern)].map(([word]) => ({ word, use })),
  );
}

/** `tellOutbox` as "tell outbox", and a sentence of a comment without the stars before its lines. */
const plainWords = (text: string): string =>
  text
    .replace(/\n[ \t]*(\*|\/\/)?/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[-_'’]/g, " ")
    .replace(/\s+/g, " ")
    .toLowerCase();

function textFiles(root: string): string[] {
  const below = places.flatMap((place) =>
    readdirSync(join(root, place), { recursive: true, encoding: "utf8" }).map((name) => `${place}/${name}`),
  );
  return [...below, ...files].filter(
    (path) => /\.(tsx?|md)$/.test(path) && !leftOut.test(path) && !path.includes("node_modules/"),
  );
}
