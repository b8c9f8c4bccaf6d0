import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartupError } from "./startup-error.ts";

/**
 * Keeps a second platform out of the same data folder. The lock is the operating system's, so it ends with the
 * process, however that ends.
 *
 * @returns release
 * @throws StartupError when the folder is in use
 */
export function lockDataFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const file = new DatabaseSync(join(dataDir, "lock.db"));
  try {
    file.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    file.close();
    if (!(error instanceof Error) || !/locked/.test(error.message)) throw error;
    throw new StartupError(
      `Another platform uses ${dataDir}. Stop it, or give this one a folder of its own: DATA_DIR=.local-2 npm start`,
    );
  }
  return () => file.close();
}
