import { randomUUID } from "node:crypto";
import { linkSync, rmSync, writeFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";

/**
 * Creates a file unless there is one. When several do so at once, one of them creates it; whoever reads the file finds
 * all of it, never a part.
 *
 * @param mode  permissions of the new file
 * @returns whether it was this call that created the file
 */
export function createFileOnce(file: string, contents: string, mode: number): boolean {
  const temporary = temporaryFor(file);
  try {
    writeFileSync(temporary, contents, { mode, flag: "wx" });
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Writes a file, or replaces the one that is there. Whoever reads it finds all of the old or all of the new one. When
 * several replace it at once, the last one stays.
 */
export async function replaceFile(file: string, contents: string | Uint8Array): Promise<void> {
  const temporary = temporaryFor(file);
  try {
    await writeFile(temporary, contents);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** In the same folder, since neither a link nor a rename leads to another file system. */
const temporaryFor = (file: string): string => `${file}${TEMPORARY}${randomUUID()}`;

/** Is in the name of every file that is still being written. */
export const TEMPORARY = "~";
