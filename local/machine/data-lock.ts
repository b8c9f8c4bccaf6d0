import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { StartupError } from "../startup-error.ts";
import { exclusiveLock } from "./exclusive-lock.ts";
import { startCommand } from "./start-command.ts";

/**
 * Locks a data folder, so that only one platform uses it.
 *
 * @returns a function that releases the lock
 * @throws StartupError when the folder is in use
 */
export function lockDataFolder(dataDir: string): () => void {
  // Conversations and keys are in it: other users of the machine read none of it, also where an earlier version made it.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
  const release = exclusiveLock(join(dataDir, "lock.db"));
  if (release) return release;
  throw new StartupError(
    `Another platform uses ${dataDir}. Stop it, or use another folder: DATA_DIR=.local-2 ${startCommand()}`,
  );
}
