import { whereThrown } from "./where-thrown.ts";

/** An error as a log line shows it. */
export type DescribedError = {
  readonly name: string;
  readonly message: string;
  /** Places in our sources, the innermost first. */
  readonly at: readonly string[];
  readonly cause?: DescribedError;
};

/** How many causes of causes are logged; a chain may lead back to itself. */
const DEPTH = 4;

export function describeError(error: Error, depth = DEPTH): DescribedError {
  const { name, message, cause } = error;
  const hasCause = cause instanceof Error && depth > 1;
  return {
    name,
    message,
    at: whereThrown(error),
    ...(hasCause && { cause: describeError(cause, depth - 1) }),
  };
}

/** The same for code that is not the platform's: its message may quote what a user wrote, so it stays out of the log. */
export const describeForeignError = (thrown: unknown): { error_type: string; at: readonly string[] } => ({
  error_type: thrown instanceof Error ? thrown.name : typeof thrown,
  at: whereThrown(thrown),
});
