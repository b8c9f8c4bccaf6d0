import { DEFAULT_LANGUAGE, type Language, languagesWith } from "./languages.ts";

/** Words of a text that are looked at: the language shows long before. */
const MOST_WORDS = 400;
/** Fewer frequent words than this say nothing, nor does a smaller share of all: names and code have some too. */
const LEAST_COMMON = 2;
const LEAST_SHARE = 0.08;

/**
 * The language of a text, by its most frequent words.
 *
 * @decided  Counting them is right for anything of a sentence or more, and costs no library. Where it is wrong, words are
 *           reduced by another language's rules; queries are reduced by the rules of every language in the index, so they
 *           still meet.
 */
export function detectLanguage(text: string): Language {
  const counts = new Map<Language, number>();
  let words = 0;
  for (const [word] of text
    .slice(0, 6_000)
    .toLowerCase()
    .matchAll(/\p{L}+/gu)) {
    for (const language of languagesWith(word)) counts.set(language, (counts.get(language) ?? 0) + 1);
    words += 1;
    if (words >= MOST_WORDS) break;
  }
  let best: Language = DEFAULT_LANGUAGE;
  for (const [language, count] of counts)
    if (count >= Math.max(LEAST_COMMON, words * LEAST_SHARE) && count > (counts.get(best) ?? 0))
      best = language;
  return best;
}
