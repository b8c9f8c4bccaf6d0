import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Lockfile, sbomOf } from "../../scripts/package/sbom.ts";

const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, "../..", file), "utf8"));
const lockfile: Lockfile = read("package-lock.json");
const own = read("package.json");

test("the bill of materials names every package with its version, digest and licence", () => {
  const { components }: { components?: Record<string, unknown>[] } = sbomOf(
    own,
    Object.keys(own.dependencies),
    lockfile,
  );
  expect(components?.length).toBeGreaterThan(100);
  for (const one of components ?? [])
    expect(one).toMatchObject({
      purl: expect.stringMatching(/^pkg:npm\/.+@\d/),
      licenses: [expect.anything()],
      hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    });
});

test("a package is found where Node.js finds it, and one without a licence is refused", () => {
  const packages = {
    "node_modules/a": { version: "1.0.0", license: "MIT", dependencies: { b: "2" } },
    "node_modules/a/node_modules/b": { version: "2.0.0", license: "Apache-2.0 OR MIT" },
    "node_modules/b": { version: "1.0.0" },
  };
  const product = { name: "@one/p", version: "1.0.0", license: "MIT" };
  expect(sbomOf(product, ["a"], { packages })).toMatchObject({
    metadata: { component: { purl: "pkg:npm/%40one/p@1.0.0" } },
    components: [
      { name: "a" },
      { name: "b", version: "2.0.0", licenses: [{ expression: "Apache-2.0 OR MIT" }] },
    ],
  });
  expect(() => sbomOf(product, ["b"], { packages })).toThrow(/licence of b/);
  expect(() => sbomOf(product, ["c"], { packages })).toThrow(/not in package-lock/);
});
