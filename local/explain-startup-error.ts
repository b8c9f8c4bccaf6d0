import { StartupError } from "./startup-error.ts";

const unwritable = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR"]);

/**
 * What to tell somebody whose platform does not start.
 *
 * @returns a sentence that says what to do; the error itself where that is not known
 */
export function explainStartupError(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof StartupError || isBuildFailure(error)) return error.message;
  if ("code" in error && typeof error.code === "string" && unwritable.has(error.code)) {
    return `${error.message}. The platform writes to dist/, to node_modules/.cache/ and to ${dataDir} (DATA_DIR).`;
  }
  return error;
}

/** What the bundler throws says where the code is wrong; its stack says nothing. */
const isBuildFailure = (error: Error): boolean => "errors" in error && "warnings" in error;
