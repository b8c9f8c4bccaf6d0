/** @param ms epoch milliseconds. @returns RFC 3339 in UTC */
export const wireInstant = (ms: number): string => new Date(ms).toISOString();

/**
 * How long something took, in milliseconds. The clock counts whole ones, so what took less counts as one: 0 would say
 * that it took no time.
 */
export const durationMs = (startMs: number, endMs: number): number => Math.max(1, endMs - startMs);

/** @source docs/interface/traces.md 1.4 */
export function wireDuration(ms: number): string {
  const whole = Math.round(ms);
  return whole < 1000 ? `${whole}ms` : `${(whole / 1000).toFixed(2)}s`;
}
