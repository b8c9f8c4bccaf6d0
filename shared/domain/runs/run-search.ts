/** More are no search any more, but a text. */
const MOST_TERMS = 20;

/**
 * What a search asks for: its words, and its phrases in quotes, as `mentionsAll` compares them.
 *
 * @returns undefined where it asks for nothing
 */
export function searchTerms(search: string): readonly string[] | undefined {
  const terms = [...search.matchAll(/"([^"]*)"|([^\s"]+)/gu)]
    .map(([, phrase, word]) => comparable(phrase ?? word ?? ""))
    .filter((term) => term !== "");
  return terms.length === 0 ? undefined : [...new Set(terms)].slice(0, MOST_TERMS);
}

/** Whether each term is in one of the texts, in any case and with or without accents. */
export function mentionsAll(terms: readonly string[], texts: readonly string[]): boolean {
  const compared = texts.map(comparable);
  return terms.every((term) => compared.some((text) => text.includes(term)));
}

/** One blank in place of any: a phrase may be broken across lines. */
const comparable = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/gu, " ").trim();
