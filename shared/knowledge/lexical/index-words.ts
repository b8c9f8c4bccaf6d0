import { detectLanguage } from "./detect-language.ts";
import { type Language, languagesWith, loadStems, type Stem } from "./languages.ts";
import { folded, wordsOf } from "./words-of.ts";

export type CountedText = { readonly language: Language; readonly counts: ReadonlyMap<string, number> };

/** What an index knows of a chunk: its text, and the heading that it stands under where it has one. */
export type WordedText = { readonly text: string; readonly heading?: string | undefined };

/**
 * So many more times a word counts that is in the heading too: headings are what texts are about. A later chunk of a long
 * section has the heading's words by this alone.
 */
const HEADING_WEIGHT = 3;

/** How often chunks have which words, reduced by the rules of each text's language. */
export async function countWords(chunks: readonly WordedText[]): Promise<CountedText[]> {
  const detected = chunks.map(({ text }) => detectLanguage(text));
  const stems = await loadStems(detected);
  const reduceBy = new Map([...stems].map(([language, stem]) => [language, remembered(stem)] as const));
  return chunks.map(({ text, heading = "" }, i) => {
    const language = detected[i] ?? detectLanguage(text);
    const stem = reduceBy.get(language);
    const counts = new Map<string, number>();
    const count = (of: string, weight: number): void => {
      for (const { text: word, isFixed } of wordsOf(of)) {
        const reduced = isFixed || !stem ? folded(word) : stem(word);
        counts.set(reduced, (counts.get(reduced) ?? 0) + weight);
      }
    };
    count(text, 1);
    count(heading, HEADING_WEIGHT);
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

/**
 * A word of a query, in every form under which an index may have it. `isCommon` for one that is frequent in a language of
 * the index, beside others that are not: it adds to a score, but is not what is searched for.
 */
export type Wanted = {
  readonly forms: readonly string[];
  readonly languages: readonly Language[];
  readonly isCommon: boolean;
};

/** What English writes behind an apostrophe, which is no word to look for: client's, can't, they'll. */
const CLITICS = /(?<=\p{L})['’](?:s|t|d|m|ll|re|ve)(?![\p{L}\p{N}])/giu;

/**
 * The words of a query, each reduced by the rules of every language of the index: a query is too short to identify its
 * language.
 */
export async function queryWords(query: string, languages: readonly Language[]): Promise<Wanted[]> {
  const stems = await loadStems(languages);
  const words = new Map<string, Wanted>();
  const asked = languages.includes("en") ? query.replace(CLITICS, "") : query;
  for (const { text: word, isFixed } of wordsOf(asked)) {
    const forms = isFixed ? [word] : [...stems.values()].map((stem: Stem) => stem(word));
    words.set(word, {
      forms: [...new Set(forms.map(folded))],
      languages: isFixed ? [] : languages,
      isCommon: languagesWith(word).some((one) => languages.includes(one)),
    });
  }
  const all = [...words.values()];
  return all.every(({ isCommon }) => isCommon) ? all.map((word) => ({ ...word, isCommon: false })) : all;
}
