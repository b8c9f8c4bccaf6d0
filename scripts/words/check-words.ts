/**
 * `npm run words`: the unwanted words beyond those that each file is known to have. `-- --list <part of a path>` shows them with what
 * to use instead; `-- --record` writes the counts anew, where there are not more of them in all.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FoundWord, unwantedWordsByFile } from "./count-words.ts";

const root = join(import.meta.dirname, "../..");
const recordFile = join(import.meta.dirname, "known-words.json");

/** Number of unwanted words by file. */
export type WordCounts = Readonly<Record<string, number>>;

const readKnown = (): WordCounts => JSON.parse(readFileSync(recordFile, "utf8"));

/** Every file that has more unwanted words than it is known to have, or fewer: the record may only shrink, and does so at once. */
export const checkWords = (): string[] => judgeWords(unwantedWordsByFile(root), readKnown());

export function judgeWords(found: ReadonlyMap<string, readonly FoundWord[]>, known: WordCounts): string[] {
  const more = [...found].flatMap(([path, words]) => {
    const allowed = known[path] ?? 0;
    return words.length > allowed
      ? [`${path}: ${words.length} unwanted words, ${allowed} known: ${named(words)}`]
      : [];
  });
  const fewer = Object.entries(known)
    .filter(([path, allowed]) => (found.get(path)?.length ?? 0) < allowed)
    .map(([path]) => `${path}: fewer unwanted words than known; run "npm run words -- --record"`);
  return [...more, ...fewer];
}

const named = (words: readonly FoundWord[]): string =>
  [...new Set(words.map(({ word, use }) => `"${word}" (use: ${use})`))].join("; ");

/** @throws Error when there are more unwanted words than before */
export function nextCounts(found: ReadonlyMap<string, readonly FoundWord[]>, known: WordCounts): WordCounts {
  const counts = Object.fromEntries(
    [...found].map(([path, words]) => [path, words.length] as const).toSorted(),
  );
  const [before, after] = [known, counts].map(total);
  if (before !== undefined && after !== undefined && after > before) {
    throw new Error(`${after} unwanted words, ${before} before; they may only become fewer`);
  }
  return counts;
}

const total = (counts: WordCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

if (import.meta.main) {
  const list = process.argv.indexOf("--list");
  if (process.argv.includes("--record")) {
    const counts = nextCounts(unwantedWordsByFile(root), readKnown());
    writeFileSync(recordFile, `${JSON.stringify(counts, null, 2)}\n`);
  } else if (list >= 0) {
    for (const [path, words] of unwantedWordsByFile(root)) {
      if (path.includes(process.argv[list + 1] ?? "")) console.log(`${path}: ${named(words)}`);
    }
  } else {
    const faults = checkWords();
    for (const line of faults) console.error(line);
    process.exitCode = faults.length > 0 ? 1 : 0;
  }
}
