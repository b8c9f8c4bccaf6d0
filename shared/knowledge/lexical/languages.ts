/** Reduces a word of lower case to its stem. */
export type Stem = (word: string) => string;

/**
 * The languages whose words are reduced to stems, each with words that are frequent in it and rare in the others. They
 * identify the language of a text, and are not what a query with other words is about.
 */
export const commonWords = {
  da: "af at de den der det du en er et for fra han har hun ikke jeg kan med men og om på som til var vi",
  de: "als an auch auf aus bei bis das dass dem den der des die durch ein eine einem einen einer eines er es für haben hat ich ihr im in ist kann können mit nach nicht nur oder sich sie sind so über um und von vor war was wenn werden wie wird wo zu zum zur welche welcher welches wann warum wer",
  en: "a an and are as at be but by can do does for from had has have how i if in into is it its may more must no not of on or our should so such than that the their them then there these they this to was we were what when where which who why will with would you your",
  es: "al como con cuando de del donde el ella en entre es esta este están ha hay la las lo los más me muy no o para pero por qué que se ser si sin sobre son su sus también un una y ya",
  fi: "ei että he hän ja jos kun mikä missä mutta myös niin nyt oli on ovat se sen tai tämä vain voi",
  fr: "au aux avec ce ces cette comme dans de des du elle en est et il ils la le les leur mais ne nous ou où par pas plus pour qu que qui quand sa se ses son sont sur un une vous",
  it: "al alla anche che ci come con da dal dalla dei del della delle di dove e è gli ha i il in la le lo ma nel nella non o per perché più quando se si sono su un una",
  nl: "aan als bij dat de deze die dit door een en er het hij hoe ik in is kan maar met naar niet of om ook op te tot uit van voor waar wanneer was wat we wordt zijn",
  no: "av at de den det du en er et for fra han har hun ikke jeg kan med men og om på som til var vi være blir",
  pt: "ao aos as até com como da das de do dos e é ela ele em entre essa esse está eu foi há isso mais mas na não no nos o os ou para pela pelo por quando que se sem seu sua são também um uma",
  ro: "a al ale am au ca care ce cu de din este fi în la mai nu o pe pentru prin sau se sunt și un una",
  ru: "а без был была были было быть в во все для до его ее если же за и из или их к как ко когда который ли мы на не но о об он она они от по при с со так также то только у что чтобы это",
  sv: "av att de den det du eller en ett för från han har hon inte jag kan med men och om på som till var vi är",
  tr: "bir bu da daha de değil en gibi her için ile ise ki mi ne nasıl o olan olarak sonra ve veya ya",
} as const;

export type Language = keyof typeof commonWords;
export const languages = Object.keys(commonWords) as Language[]; // its keys are the languages

/** The language of a text that does not show it, such as a few words. */
export const DEFAULT_LANGUAGE: Language = "en";

/** Languages that write several nouns as one word. */
export const compounding: ReadonlySet<Language> = new Set<Language>(["da", "de", "fi", "nl", "no", "sv"]);

/** Stems of each language are code of their own, loaded when the first text needs them. */
const load: Readonly<Record<Language, () => Promise<{ stemmer: Stem }>>> = {
  da: () => import("@orama/stemmers/danish"),
  de: () => import("@orama/stemmers/german"),
  en: () => import("@orama/stemmers/english"),
  es: () => import("@orama/stemmers/spanish"),
  fi: () => import("@orama/stemmers/finnish"),
  fr: () => import("@orama/stemmers/french"),
  it: () => import("@orama/stemmers/italian"),
  nl: () => import("@orama/stemmers/dutch"),
  no: () => import("@orama/stemmers/norwegian"),
  pt: () => import("@orama/stemmers/portuguese"),
  ro: () => import("@orama/stemmers/romanian"),
  ru: () => import("@orama/stemmers/russian"),
  sv: () => import("@orama/stemmers/swedish"),
  tr: () => import("@orama/stemmers/turkish"),
};

/** Stems of some languages. */
export async function loadStems(wanted: Iterable<Language>): Promise<ReadonlyMap<Language, Stem>> {
  const loaded = [...new Set(wanted)].map(
    async (language) => [language, (await load[language]()).stemmer] as const,
  );
  return new Map(await Promise.all(loaded));
}

const languagesOfWord = new Map<string, Language[]>();
for (const language of languages)
  for (const word of commonWords[language].split(" "))
    languagesOfWord.set(word, [...(languagesOfWord.get(word) ?? []), language]);

/** The languages in which a word, in lower case, is frequent. */
export const languagesWith = (word: string): readonly Language[] => languagesOfWord.get(word) ?? [];
