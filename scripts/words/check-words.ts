/** `npm run words`: the unwanted words of the project, with what to use instead; none are allowed. */
import { join } from "node:path";
import { type FoundWord, unwantedWordsByFile } from "./find-words.ts";

/** A line for each file that has unwanted words. */
export const checkWords = (): string[] =>
  [...unwantedWordsByFile(join(import.meta.dirname, "../.."))].map(([path, words]) => refused(path, words));

export const refused = (path: string, words: readonly FoundWord[]): string =>
  `${path}: ${[...new Set(words.map(({ word, use }) => `"${word}" (use: ${use})`))].join("; ")}`;

if (import.meta.main) {
  const faults = checkWords();
  for (const line of faults) console.error(line);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
