/** The first characters of a text, or of a value as JSON; never half a character. Undefined where there is none. */
export function beginningOf(value: unknown, chars: number): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= chars
    ? text
    : Array.from(text.slice(0, 2 * chars))
        .slice(0, chars)
        .join("");
}
