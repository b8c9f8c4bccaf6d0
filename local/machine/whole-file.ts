import { randomUUID } from "node:crypto";
import { linkSync, rmSync, writeFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Creates a file atomically unless it exists. Of several calls at once, one creates it. A reader never sees a part of
 * the file.
 *
 * @param mode  permissions of the new file
 * @returns whether this call created the file
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
 * Creates or replaces a file atomically. A reader sees either the old or the new contents. Of several calls at once,
 * the last one wins.
 */
export async function replaceFile(file: string, contents: string | Uint8Array): Promise<void> {
  const temporary = temporaryFor(file);
  try {
    await writeFile(temporary, contents);
    await renameOver(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Milliseconds until the next of some tries: on Windows a file is not replaced in the moment in which another process opens it. */
const TRIES_AFTER = [5, 20, 80, 320];

async function renameOver(temporary: string, file: string): Promise<void> {
  for (const wait of process.platform === "win32" ? TRIES_AFTER : []) {
    try {
      return await rename(temporary, file);
    } catch (error) {
      if (!isHeld(error)) throw error;
      await pause(wait);
    }
  }
  await rename(temporary, file);
}

const isHeld = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^(EPERM|EACCES|EBUSY)$/.test(String(error.code));

/** In the same folder, since links and renames do not work across file systems. */
const temporaryFor = (file: string): string => `${file}${TEMPORARY}${randomUUID()}`;

/** Part of the name of every file that is still being written. */
export const TEMPORARY = "~";
