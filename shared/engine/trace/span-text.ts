/** What a span shows of a value: text as it is, anything else as JSON; nothing of nothing. */
export function spanText(value: unknown): string | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
