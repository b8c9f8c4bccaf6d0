/** Errors of whoever writes the configuration or the registry: their message says what is wrong, and where. */
const codes: ReadonlySet<unknown> = new Set(["BAD_CONFIG", "BAD_REGISTRY"]);

/** Whether an error is explained by its message alone: where in the platform it was thrown would not help. */
export const isExplainedByMessage = (error: Error): boolean =>
  ("code" in error && codes.has(error.code)) || isBuildFailure(error);

/** The bundler's message has the place of the error in the code. */
const isBuildFailure = (error: Error): boolean => "errors" in error && "warnings" in error;
