import { describe, expect, test } from "vitest";
import { judgeWords, nextCounts } from "../../scripts/words/check-words.ts";
import { unwantedIn } from "../../scripts/words/count-words.ts";

const wordsIn = (text: string): string[] => unwantedIn(text).map(({ word }) => word);

describe("unwanted words are found", () => {
  test.each([
    ["in a name", "const toldOfRun = doorHandlers();", ["told", "door"]],
    ["in the name of a file", 'import "./door-operations.ts";', ["door"]],
    [
      "in a comment that goes on in the next line",
      "/**\n * The worker takes\n * up the run.\n */",
      ["takes up"],
    ],
    ["in a sentence", "An alarm for who upgrades: it is **woken**.", ["woken", "who upgrades"]],
    ["with an apostrophe", "nobody's run", ["nobody s"]],
  ])("%s", (_, text, words) => {
    expect(wordsIn(text).toSorted()).toEqual(words.toSorted());
  });

  test.each([
    ["other words that contain them", "shear, indoors, storytelling, beside"],
    ["the field's own", "claim, lease, resume, publish, subscriber"],
  ])("and not %s", (_, text) => {
    expect(wordsIn(text)).toEqual([]);
  });
});

describe("the known counts", () => {
  const told = { word: "told", use: "publish" };

  test("allow as many as there are", () => {
    expect(judgeWords(new Map([["a.ts", [told]]]), { "a.ts": 1 })).toEqual([]);
  });

  test("refuse one more, with the word to use instead", () => {
    expect(judgeWords(new Map([["a.ts", [told, told]]]), { "a.ts": 1 })).toEqual([
      'a.ts: 2 unwanted words, 1 known: "told" (use: publish)',
    ]);
  });

  test("shrink at once", () => {
    expect(judgeWords(new Map(), { "a.ts": 1 })).toEqual([expect.stringMatching(/^a.ts: fewer/)]);
  });

  test("follow a file that is moved, and never grow in all", () => {
    expect(nextCounts(new Map([["b.ts", [told]]]), { "a.ts": 1 })).toEqual({ "b.ts": 1 });
    expect(() => nextCounts(new Map([["b.ts", [told, told]]]), { "a.ts": 1 })).toThrow(
      /2 unwanted words, 1 before/,
    );
  });
});
