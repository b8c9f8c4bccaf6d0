import { isExplainedByMessage } from "../build/index.ts";
import { StartupError } from "./startup-error.ts";

const unwritable = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR"]);

/**
 * Explains to a developer why the platform does not start.
 *
 * @returns a text that says what to do; for an unknown error, the error itself
 */
export function explainStartupError(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof StartupError || isExplainedByMessage(error)) return error.message;
  if ("code" in error && typeof error.code === "string" && unwritable.has(error.code)) {
    return `${error.message}. The platform writes to dist/, to node_modules/.cache/ and to ${dataDir} (DATA_DIR).`;
  }
  return error;
}
