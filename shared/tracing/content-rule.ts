import { cutText } from "../domain/traces/cut-text.ts";

/** Which texts of runs a span may carry. */
export type ContentRule = {
  /** Inputs, outputs and arguments; undefined where they are not recorded. */
  readonly content: (text: string) => string | undefined;
  /** Errors are always recorded, with the patterns redacted. */
  readonly error: (text: string) => string;
};

/** A longer text is cut, because a trace of many such texts would not fit into one response. */
const MAX_CHARS = 100_000;
const REDACTED = "[redacted]";

/**
 * @param records   whether inputs, outputs and arguments are recorded at all
 * @param patterns  regular expressions; matches are redacted
 */
export function contentRule(records: boolean, patterns: readonly string[]): ContentRule {
  const expressions = patterns.map((pattern) => new RegExp(pattern, "gu"));
  const clean = (text: string) =>
    cutText(
      expressions.reduce((rest, expression) => rest.replace(expression, REDACTED), text),
      MAX_CHARS,
    );
  return { content: (text) => (records ? clean(text) : undefined), error: clean };
}
