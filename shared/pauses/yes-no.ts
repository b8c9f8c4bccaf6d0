type Words = { readonly yes: readonly string[]; readonly no: readonly string[] };

/** The first of each is what a button says. Languages by their code; a word means the same in all of them. */
const languages: Readonly<Record<string, Words>> = {
  en: {
    yes: [
      "Yes",
      "y",
      "yeah",
      "yep",
      "ok",
      "okay",
      "sure",
      "true",
      "approve",
      "approved",
      "confirm",
      "confirmed",
    ],
    no: ["No", "n", "nope", "false", "reject", "rejected", "deny", "denied", "decline", "declined"],
  },
  de: { yes: ["Ja", "jawohl", "jo", "gerne", "einverstanden"], no: ["Nein", "nee", "nö"] },
  fr: { yes: ["Oui", "d'accord", "ouais"], no: ["Non"] },
  es: { yes: ["Sí", "si", "vale", "de acuerdo"], no: ["No"] },
  it: { yes: ["Sì", "va bene", "certo"], no: ["No"] },
  pt: { yes: ["Sim"], no: ["Não", "nao"] },
  nl: { yes: ["Ja", "akkoord"], no: ["Nee"] },
  sv: { yes: ["Ja", "japp"], no: ["Nej"] },
  da: { yes: ["Ja"], no: ["Nej"] },
  nb: { yes: ["Ja"], no: ["Nei"] },
  fi: { yes: ["Kyllä", "joo"], no: ["Ei"] },
  pl: { yes: ["Tak"], no: ["Nie"] },
  cs: { yes: ["Ano"], no: ["Ne"] },
  ro: { yes: ["Da"], no: ["Nu"] },
  tr: { yes: ["Evet", "tamam"], no: ["Hayır", "hayir"] },
  ru: { yes: ["Да"], no: ["Нет"] },
  uk: { yes: ["Так"], no: ["Ні"] },
  el: { yes: ["Ναι"], no: ["Όχι"] },
  ar: { yes: ["نعم"], no: ["لا"] },
  he: { yes: ["כן"], no: ["לא"] },
  hi: { yes: ["हाँ", "हां"], no: ["नहीं"] },
  ja: { yes: ["はい"], no: ["いいえ"] },
  ko: { yes: ["네", "예"], no: ["아니요", "아니오"] },
  zh: { yes: ["是", "好", "可以"], no: ["否", "不", "不是"] },
};

const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .trim()
    .toLowerCase()
    .replace(/[\s.!。！]+$/u, "");

const known = new Map(
  Object.values(languages).flatMap(({ yes, no }) => [
    ...yes.map((word) => [plain(word), true] as const),
    ...no.map((word) => [plain(word), false] as const),
  ]),
);

/**
 * Whether a text is a yes or a no, in any of the languages; undefined for anything that is not the word alone.
 *
 * @param own  further words: what the buttons say
 */
export function yesOrNo(
  text: string,
  own?: { readonly yes: string; readonly no: string },
): boolean | undefined {
  const word = plain(text);
  if (own && word === plain(own.yes)) return true;
  if (own && word === plain(own.no)) return false;
  return known.get(word);
}

/** What buttons say in a language, by its code such as `de` or `pt-BR`; undefined for one that is not known. */
export function yesNoLabels(language: string | undefined): { yes: string; no: string } | undefined {
  const words = languages[language?.split(/[-_]/)[0]?.toLowerCase() ?? ""];
  const [[yes], [no]] = [words?.yes ?? [], words?.no ?? []];
  return yes === undefined || no === undefined ? undefined : { yes, no };
}
