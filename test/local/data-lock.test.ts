import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockDataFolder } from "../../local/machine/data-lock.ts";

test("the data folder is its user's alone, also one that an earlier version has made", () => {
  const parent = mkdtempSync(join(tmpdir(), "data-lock-"));
  const old = join(parent, "old");
  lockDataFolder(old)();
  chmodSync(old, 0o755);
  for (const folder of [join(parent, "new"), old]) {
    const release = lockDataFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    release();
  }
  rmSync(parent, { recursive: true });
});
