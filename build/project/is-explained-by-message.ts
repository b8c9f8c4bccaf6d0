import type { BuildFailure } from "esbuild";

/** Errors of whoever writes the configuration or the registry: their message says what is wrong, and where. */
const codes: ReadonlySet<unknown> = new Set(["BAD_CONFIG", "BAD_REGISTRY"]);

/** Whether an error is explained by its message alone: where in the platform it was thrown would not help. */
export const isExplainedByMessage = (error: Error): boolean =>
  ("code" in error && codes.has(error.code)) || isBuildFailure(error);

/** Whether an error is the bundler's, about code that cannot be bundled; its message has the places in the code. */
export const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && "errors" in error && "warnings" in error;
