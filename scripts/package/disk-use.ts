import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Bytes of a block, of which a file takes whole ones. */
const BLOCK = 4096;

/** What the files below a folder take on disk, in megabytes: one with several names, as linked bundles are, is there once. */
export function megabytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const sizes = new Map(
    files.map(({ parentPath, name }) => {
      const { dev, ino, size } = statSync(join(parentPath, name));
      return [`${dev}:${ino}`, size];
    }),
  );
  const blocks = [...sizes.values()].reduce((sum, size) => sum + Math.ceil(size / BLOCK), 0);
  return blocks * (BLOCK / 2 ** 20);
}
