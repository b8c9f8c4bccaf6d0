/**
 * How long a service asks to wait before the next request.
 *
 * @param headers  names in lower case
 * @param nowMs    epoch milliseconds, for headers that name an instant
 * @returns seconds; undefined when it does not say
 * @source RFC 9110 section 10.2.3; `retry-after-ms` is OpenAI's
 */
export function retryAfter(headers: unknown, nowMs: number): number | undefined {
  const read = (name: string): string | undefined => {
    const header: unknown = headers !== null && typeof headers === "object" && Reflect.get(headers, name);
    return typeof header === "string" && header.trim() !== "" ? header : undefined;
  };
  const inMs = Number(read("retry-after-ms"));
  if (inMs >= 0) return inMs / 1000;
  const value = read("retry-after");
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (seconds >= 0) return seconds;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - nowMs) / 1000);
}
