import { DatabaseSync } from "node:sqlite";

/**
 * Takes a lock that only one process can hold. It is the operating system's, so it ends with the process, however that
 * ends.
 *
 * @param file  stands for the lock; its folder must exist
 * @returns release, or undefined when somebody else holds it
 */
export function exclusiveLock(file: string): (() => void) | undefined {
  const database = new DatabaseSync(file);
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!(error instanceof Error) || !/locked/.test(error.message)) throw error;
    return undefined;
  }
  return () => database.close();
}
