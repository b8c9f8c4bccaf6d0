/** A value as a span shows it: text as it is, anything else as JSON; undefined when it is empty. */
export function spanText(value: unknown): string | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
