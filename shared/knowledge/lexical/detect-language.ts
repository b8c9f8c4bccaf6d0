import { DEFAULT_LANGUAGE, type Language, languagesWith } from "./languages.ts";

/** Words of a text that are looked at: the language shows long before. */
const MOST_WORDS = 400;
/**
 * Fewer different frequent words than this say nothing, nor does a smaller share of all: names and code have some too. A
 * list of addresses repeats `com`, which is Portuguese, and code repeats `var`, which is Danish.
 */
const LEAST_COMMON = 2;
const LEAST_SHARE = 0.08;
/** Texts of a language have so many different ones, however long they are. */
const ENOUGH_COMMON = 8;

/**
 * The language of a text, by its most frequent words.
 *
 * @decided  Counting them is right for anything of a sentence or more, and costs no library. Where it is wrong, words are
 *           reduced by another language's rules; queries are reduced by the rules of every language in the index, so they
 *           still meet.
 */
export function detectLanguage(text: string): Language {
  const counts = new Map<Language, number>();
  const different = new Map<Language, Set<string>>();
  let words = 0;
  for (const [word] of text
    .slice(0, 6_000)
    .toLowerCase()
    .matchAll(/\p{L}+/gu)) {
    for (const language of languagesWith(word)) {
      counts.set(language, (counts.get(language) ?? 0) + 1);
      different.set(language, (different.get(language) ?? new Set()).add(word));
    }
    words += 1;
    if (words >= MOST_WORDS) break;
  }
  const least = words * LEAST_SHARE;
  const leastDifferent = Math.max(LEAST_COMMON, Math.min(least, ENOUGH_COMMON));
  let best: Language = DEFAULT_LANGUAGE;
  for (const [language, count] of counts)
    if (
      (different.get(language)?.size ?? 0) >= leastDifferent &&
      count >= least &&
      count > (counts.get(best) ?? 0)
    )
      best = language;
  return best;
}
