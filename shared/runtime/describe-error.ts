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

export type ForeignError = {
  readonly error_type: string;
  readonly at: readonly string[];
  readonly error_text?: string;
};

/**
 * The same for code that is not the platform's: its message may quote what a user wrote, so it stays out of the log, but for
 * the log of a developer's machine.
 */
export const describeForeignError = (thrown: unknown): ForeignError => ({
  error_type: thrown instanceof Error ? thrown.name : typeof thrown,
  at: whereThrown(thrown),
  ...(process.env[SHOWS_MESSAGES] === "true" && { error_text: textWithCauses(thrown) }),
});

/** Set by the platform on a developer's machine alone: messages of foreign errors are logged there. */
export const SHOWS_MESSAGES = "LOG_FOREIGN_MESSAGES";

/** The message, what caused it, and the address that was called where no answer came. */
function textWithCauses(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const texts: string[] = [];
  for (let error: unknown = thrown; error instanceof Error && texts.length < DEPTH; error = error.cause) {
    // An error of several attempts to connect has no message of its own.
    const text = error.message || Reflect.get(error, "code");
    if (typeof text === "string" && !texts.some((one) => one.includes(text))) texts.push(text);
  }
  const url: unknown = Reflect.get(thrown, "url");
  const answered = Reflect.get(thrown, "statusCode") !== undefined;
  return texts.join(": ") + (typeof url === "string" && !answered ? ` (${withoutQuery(url)})` : "");
}

/** Some services take their key as a parameter. */
const withoutQuery = (url: string): string => url.replace(/\?.*$/s, "");
