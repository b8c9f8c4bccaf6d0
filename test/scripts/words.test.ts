import { describe, expect, test } from "vitest";
import { checkWords, refused } from "../../scripts/words/check-words.ts";
import { unwantedIn } from "../../scripts/words/find-words.ts";

const wordsIn = (text: string, path = "a.ts"): string[] => unwantedIn(text, path).map(({ word }) => word);

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
    ["amounts", "A message takes up to ten seconds."],
    ["the field's own", "claim, lease, resume, publish, subscriber"],
  ])("and not %s", (_, text) => {
    expect(wordsIn(text)).toEqual([]);
  });
});

describe("a stored name stays", () => {
  const text = "if (run.told) return { ...run, told: true };";

  test("in its folder, and its word is refused in a sentence there", () => {
    expect(wordsIn(text, "shared/engine/team/lead-call.ts")).toEqual([]);
    expect(wordsIn("// The model is told.", "shared/engine/team/lead-call.ts")).toEqual(["told"]);
  });

  test("and nowhere else", () => {
    expect(wordsIn(text, "shared/stores/runs/run-item.ts")).toEqual(["told", "told"]);
  });
});

test("a file with unwanted words is refused, with what to use instead", () => {
  const told = { word: "told", use: "publish" };
  expect(refused("a.ts", [told, told])).toBe('a.ts: "told" (use: publish)');
});

test("the project has no unwanted words", () => {
  expect(checkWords()).toEqual([]);
});
