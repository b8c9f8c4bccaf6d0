import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configKeysPath, withConfigKeys } from "../../scripts/config-keys-doc.ts";

test("the keys in docs/guide/components.md are what npm run docs writes", () => {
  const page = readFileSync(configKeysPath, "utf8");
  expect(page).toBe(withConfigKeys(page));
});
