/** @param ms epoch milliseconds. @returns RFC 3339 in UTC */
export const wireInstant = (ms: number): string => new Date(ms).toISOString();

/** @source contract, metrics-evals-traces C.2, `duration` */
export function wireDuration(ms: number): string {
  const whole = Math.round(ms);
  return whole < 1000 ? `${whole}ms` : `${(whole / 1000).toFixed(2)}s`;
}
