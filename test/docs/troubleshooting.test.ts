import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/troubleshooting.md"), "utf8");

/** What the platform may say: texts of its sources, with those that are put together from several as one. */
const said = ["build", "functions", "lib", "local", "package", "shared"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.m?[jt]s$/.test(name))
      .map((name) => readFileSync(join(root, folder, name), "utf8")),
  )
  .join("\n")
  .replaceAll(/["`]\s*\+\s*["`]/g, "");

/** The parts of a sentence between what is filled in. */
const partsOf = (sentence: string): readonly string[] =>
  sentence.split("…").flatMap((part) => (/\w{2}/.test(part) ? [part.trim().replace(/^[,;:]\s*/, "")] : []));

const sentences = [...page.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, sentence = ""]) => sentence);

test("the page has sentences, and a part that is nowhere would be found", () => {
  expect(sentences.length).toBeGreaterThan(30);
  expect(partsOf("Port … is taken.")).toEqual(["Port", "is taken."]);
  expect(said).not.toContain("This sentence is nowhere in the sources");
});

test.each(sentences)("the platform says: %s", (sentence) => {
  expect(partsOf(sentence).filter((part) => !said.includes(part))).toEqual([]);
});
