import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_MODEL, documentedModels } from "../../shared/settings/values/documented-models.ts";

const root = join(import.meta.dirname, "../..");
const DAY_MS = 86_400_000;

/** What users copy a model from, and the defaults; decisions describe their own time. */
const places = globSync(
  [
    "README.md",
    "docs/*.md",
    "docs/guide/**/*.md",
    "package/template/**/*.{md,ts}",
    "shared/settings/rows/*.ts",
    "shared/engine/**/*.ts",
  ],
  { cwd: root },
);

/** Specifications of models, and ids of Bedrock where they stand alone. */
const named =
  /\b(?:openai|anthropic|amazon-bedrock):[a-z0-9][\w.:-]*\w|\b(?:[a-z]+\.)?(?:amazon|anthropic)\.[a-z]+-[\w.:-]*\w/g;

const known = new Set(documentedModels.flatMap(({ spec }) => [spec, spec.replace("amazon-bedrock:", "")]));

describe("models that users are shown", () => {
  test("every one is in the table", () => {
    const found = places.flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(named)].map(([model]) => ({ path, model })),
    );
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter(({ model }) => !known.has(model))).toEqual([]);
  });

  test("the default is one of them", () => {
    expect(documentedModels.map(({ spec }) => spec)).toContain(DEFAULT_MODEL);
  });

  test.each(documentedModels)("$spec is served for 60 days more", ({ servedUntil }) => {
    expect(Date.parse(servedUntil) - Date.now()).toBeGreaterThan(60 * DAY_MS);
  });
});
