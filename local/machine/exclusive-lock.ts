import { DatabaseSync } from "node:sqlite";

/**
 * Acquires a lock that only one process can hold. The operating system releases it when the process ends, even by
 * `kill -9`.
 *
 * @param file  identifies the lock; its folder must exist
 * @returns a function that releases the lock; undefined when another process holds it
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
