const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** 0 for no values, like all functions here. */
export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : sum(values) / values.length;

export const smallest = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.min(...values);
export const largest = (values: readonly number[]): number => (values.length === 0 ? 0 : Math.max(...values));

/** Standard deviation of a sample; 0 for one value. */
export function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const centre = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - centre) ** 2)) / (values.length - 1));
}

/**
 * The value that this share of the values does not exceed, interpolated between two values (the inclusive method: the
 * smallest is at 0, the largest at 1).
 *
 * @param share  0 to 1
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? 0;
  const above = sorted[Math.ceil(at)] ?? 0;
  return below + (above - below) * (at - Math.floor(at));
}
