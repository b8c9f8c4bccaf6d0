import { expect, test } from "vitest";
import { uploadedParts } from "../../functions/knowledge/uploaded-parts.ts";
import { ServiceError } from "../../shared/errors.ts";
import { requireReceiver } from "../../shared/outbound/index.ts";
import { startStores } from "../support/stores.ts";

const { db, stop } = await startStores();
await stop();

const partsOf = (url: string, more: object = {}) =>
  uploadedParts({ url, ...more }, undefined, ["127.0.0.1:80"]);

test.each([
  "not an address",
  "ftp://example.com/file",
  "http://127.0.0.1:1/x",
  "http://localhost/x",
  "http://169.254.169.254/latest/meta-data/",
  "http://2130706433/",
  "http://[::ffff:10.0.0.1]/",
  "https://maria:secret@example.com/",
  '["https://example.com/a", "http://10.0.0.1/"]',
])("the address %s is refused when it is written, of a page and of a site", (url) => {
  expect(() => partsOf(url)).toThrow(ServiceError);
  expect(() => partsOf(url, { sitemap: true })).toThrow(ServiceError);
});

test("addresses are stored in their normal form", async () => {
  const [page] = partsOf("HTTPS://Example.COM:443/a/../b c#part");
  expect(await page?.inputAt(db, "")).toEqual({ kind: "url", url: "https://example.com/b%20c#part" });
  const [site] = partsOf("https://Example.com", { depth: 1 });
  expect(await site?.inputAt(db, "")).toMatchObject({ kind: "site", url: "https://example.com/" });
  expect(requireReceiver("https://Hooks.Example.com:443/x/./y", [], "url")).toBe(
    "https://hooks.example.com/x/y",
  );
});
