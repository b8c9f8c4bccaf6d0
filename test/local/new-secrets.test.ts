import { expect, test } from "vitest";
import { newSecrets } from "../../local/dev/new-secrets.ts";
import { emptyManifest, type RegistryManifest } from "../../shared/runtime/registry-manifest.ts";

const needing = (...secrets: string[]): RegistryManifest => ({
  ...emptyManifest,
  needs: [{ name: "the tool refund", secrets, permissions: [] }],
});

test("a reload says which secrets a tool needs now that were not read at the start", () => {
  expect(newSecrets(needing(), needing("SHOP_KEY"))).toBe(
    "the tool refund needs the secret SHOP_KEY: put it into .env, then stop and start again",
  );
  expect(newSecrets(needing("SHOP_KEY"), needing("SHOP_KEY"))).toBeUndefined();
  expect(newSecrets(needing("SHOP_KEY"), emptyManifest)).toBeUndefined();
});
