/**
 * Version of everything that turns text into the words of an index: raise it when the same text gives other words. An
 * index that was made with another version is made again.
 */
export const WORDS_VERSION = 1;

/** Runs of letters and digits, joined by what joins them in codes and names: E-4711, max_results, node.js. */
const RUN = /[\p{L}\p{N}\p{M}]+(?:[-_.:/'’@+#]+[\p{L}\p{N}\p{M}]+)*/gu;
const JOINTS = /[-_.:/'’@+#]+/u;
/** Scripts that are written without blanks between words. */
const WITHOUT_BLANKS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々〆]+/gu;
const HANGUL = /^\p{sc=Hangul}+$/u;
/** Most words of most texts, which have nothing to be looked for: without this, cutting a text takes twice as long. */
const PLAIN = /^[a-z]{1,64}$/;
/** Longer runs are no words but data, such as keys in Base64. */
const MAX_LETTERS = 64;

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });

/** A word as it is written, in lower case. `isFixed` for one that has no forms: a code, or a script without stems. */
export type Word = { readonly text: string; readonly isFixed: boolean };

/**
 * The words of a text in their order, in lower case, not yet reduced to stems.
 *
 * Text without blanks is cut by the rules of Unicode and, where they have no dictionary for it, by pairs of letters. A
 * code is found as a whole, without what joins its parts, and by its parts.
 */
export function* wordsOf(text: string): Generator<Word, undefined> {
  for (const [run] of text.normalize("NFKC").matchAll(RUN)) {
    if (PLAIN.test(run)) {
      yield { text: run, isFixed: false };
      continue;
    }
    const parts = run.split(JOINTS);
    for (const part of parts) yield* wordsOfPart(part);
    if (parts.length > 1) {
      const whole = parts.join("");
      if (whole.length <= MAX_LETTERS && /[\p{N}_]/u.test(run)) yield fixed(whole);
    }
  }
  return undefined;
}

const fixed = (text: string): Word => ({ text: text.toLowerCase(), isFixed: true });

function* wordsOfPart(part: string): Generator<Word, undefined> {
  let end = 0;
  for (const match of part.matchAll(WITHOUT_BLANKS)) {
    if (match.index > end) yield* spacedWords(part.slice(end, match.index));
    yield* unspacedWords(match[0]);
    end = match.index + match[0].length;
  }
  if (end < part.length) yield* spacedWords(part.slice(end));
  return undefined;
}

function* spacedWords(run: string): Generator<Word, undefined> {
  if (run.length > MAX_LETTERS) return undefined;
  if (HANGUL.test(run)) {
    yield fixed(run);
    if (run.length > 2) yield* pairsOf(run);
    return undefined;
  }
  yield { text: run.toLowerCase(), isFixed: /\p{N}/u.test(run) };
  // camelCase, also in names such as getUserById.
  if (/\p{Ll}\p{Lu}/u.test(run)) {
    for (const piece of run.split(/(?<=\p{Ll})(?=\p{Lu})/u))
      yield { text: piece.toLowerCase(), isFixed: false };
  }
  return undefined;
}

/**
 * Words by dictionary. A runtime may come without one (Node can be built so); then every pair of letters is a word.
 *
 * @decided  Measured on 662 questions in Chinese and Japanese (`npm run bench:search`): words find the answer among five
 *           in 84 of 100, pairs in 81, both together in 81, and words make the smallest index.
 */
function* unspacedWords(run: string): Generator<Word, undefined> {
  if (!knowsWords) return yield* pairsOf(run);
  for (const { segment } of segmenter.segment(run)) yield fixed(segment);
  return undefined;
}

/** Two words, which a segmenter without dictionary leaves as one or cuts into letters. */
const knowsWords = [...segmenter.segment("東京水泵")].length === 2;

function* pairsOf(run: string): Generator<Word, undefined> {
  const letters = [...run];
  if (letters.length === 1) yield fixed(run);
  for (let i = 0; i + 1 < letters.length; i += 1) yield fixed(`${letters[i]}${letters[i + 1]}`);
  return undefined;
}

/** Without accents and other marks, in scripts where they do not make another letter. */
export const folded = (word: string): string =>
  /^[a-z0-9]*$/.test(word)
    ? word
    : word
        .replace(/[ßæœøłđðþıŧ]/gu, (letter) => plain[letter] ?? letter)
        .replace(/[\p{sc=Latin}\p{sc=Greek}]+/gu, (letters) =>
          letters.normalize("NFD").replace(/\p{M}/gu, ""),
        );

const plain: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ŧ: "t",
};
