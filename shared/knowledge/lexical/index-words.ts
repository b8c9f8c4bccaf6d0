import { detectLanguage } from "./detect-language.ts";
import { type Language, languagesWith, loadStems, type Stem } from "./languages.ts";
import { folded, wordsOf } from "./words-of.ts";

export type CountedText = { readonly language: Language; readonly counts: ReadonlyMap<string, number> };

/** How often texts have which words, reduced by the rules of each text's language. */
export async function countWords(texts: readonly string[]): Promise<CountedText[]> {
  const detected = texts.map(detectLanguage);
  const stems = await loadStems(detected);
  const reduceBy = new Map([...stems].map(([language, stem]) => [language, remembered(stem)] as const));
  return texts.map((text, i) => {
    const language = detected[i] ?? detectLanguage(text);
    const stem = reduceBy.get(language);
    const counts = new Map<string, number>();
    for (const { text: word, isFixed } of wordsOf(text)) {
      const reduced = isFixed || !stem ? folded(word) : stem(word);
      counts.set(reduced, (counts.get(reduced) ?? 0) + 1);
    }
    return { language, counts };
  });
}

/** Texts repeat their words: each is reduced once. */
function remembered(stem: Stem): Stem {
  const known = new Map<string, string>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const reduced = folded(stem(word));
    known.set(word, reduced);
    return reduced;
  };
}

/** A word of a query, in every form under which an index may have it. */
export type Wanted = { readonly forms: readonly string[]; readonly languages: readonly Language[] };

/**
 * The words of a query, each reduced by the rules of every language of the index: a query is too short to identify its
 * language. Words that are frequent in such a language are left out if others are left.
 */
export async function queryWords(query: string, languages: readonly Language[]): Promise<Wanted[]> {
  const stems = await loadStems(languages);
  const words = new Map<string, { wanted: Wanted; isCommon: boolean }>();
  for (const { text: word, isFixed } of wordsOf(query)) {
    const forms = isFixed ? [word] : [...stems.values()].map((stem: Stem) => stem(word));
    const wanted = { forms: [...new Set(forms.map(folded))], languages: isFixed ? [] : languages };
    words.set(word, { wanted, isCommon: languagesWith(word).some((one) => languages.includes(one)) });
  }
  const all = [...words.values()];
  const rare = all.filter((word) => !word.isCommon);
  return (rare.length > 0 ? rare : all).map(({ wanted }) => wanted);
}
