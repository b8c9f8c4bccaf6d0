import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { StartupError } from "../startup-error.ts";
import { exclusiveLock } from "./exclusive-lock.ts";

/**
 * Keeps a second platform out of the same data folder.
 *
 * @returns release
 * @throws StartupError when the folder is in use
 */
export function lockDataFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const release = exclusiveLock(join(dataDir, "lock.db"));
  if (release) return release;
  throw new StartupError(
    `Another platform uses ${dataDir}. Stop it, or give this one a folder of its own: DATA_DIR=.local-2 npm start`,
  );
}
