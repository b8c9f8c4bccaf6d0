import { cutText } from "../domain/traces/cut-text.ts";

/** What of the texts of runs a span may hold. */
export type ContentRule = {
  /** Inputs, outputs and arguments; undefined where none are kept. */
  readonly content: (text: string) => string | undefined;
  /** Errors are kept in any case, with the patterns taken out. */
  readonly error: (text: string) => string;
};

/** A text that is longer is cut: nobody reads on, and a trace of many such would not fit into one answer. */
const MAX_CHARS = 100_000;
const REDACTED = "[redacted]";

/**
 * @param keeps     whether inputs, outputs and arguments are kept at all
 * @param patterns  regular expressions; what matches is not kept
 */
export function contentRule(keeps: boolean, patterns: readonly string[]): ContentRule {
  const expressions = patterns.map((pattern) => new RegExp(pattern, "gu"));
  const clean = (text: string) =>
    cutText(
      expressions.reduce((rest, expression) => rest.replace(expression, REDACTED), text),
      MAX_CHARS,
    );
  return { content: (text) => (keeps ? clean(text) : undefined), error: clean };
}
