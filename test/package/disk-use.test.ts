import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { megabytesIn } from "../../scripts/package/disk-use.ts";

test("a file takes whole blocks, and one with several names is counted once", () => {
  const place = mkdtempSync(join(tmpdir(), "disk-use-"));
  try {
    mkdirSync(join(place, "bundles"));
    writeFileSync(join(place, "package.bin"), Buffer.alloc(2 ** 20));
    for (const name of ["a", "b"]) linkSync(join(place, "package.bin"), join(place, "bundles", name));
    expect(megabytesIn(place)).toBe(1);
    writeFileSync(join(place, "small"), "1");
    expect(megabytesIn(place)).toBe(1 + 4096 / 2 ** 20);
  } finally {
    rmSync(place, { recursive: true });
  }
});
