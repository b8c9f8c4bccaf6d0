/** How many values fall into which bucket, by its number; empty ones are absent. */
export type Histogram = Readonly<Record<string, number>>;

const BUCKETS = 96;
/** Milliseconds. What is shorter or longer is counted in the first or the last bucket. */
const SHORTEST = 1;
const LONGEST = 900_000;
/** Each bucket is 15.4 % wider than the one before: its middle is at most 7.5 % from any value in it. */
const STEP = Math.log(LONGEST / SHORTEST) / BUCKETS;

/** A histogram with one value. @param seconds of a duration */
export const oneValue = (seconds: number): Histogram => ({ [bucketOf(seconds * 1000)]: 1 });

function bucketOf(ms: number): number {
  const bucket = Math.floor(Math.log(Math.max(ms, SHORTEST) / SHORTEST) / STEP);
  return Math.min(BUCKETS - 1, bucket);
}

export function addHistograms(a: Histogram, b: Histogram): Histogram {
  const sum: Record<string, number> = { ...a };
  for (const [bucket, count] of Object.entries(b)) sum[bucket] = (sum[bucket] ?? 0) + count;
  return sum;
}

/**
 * The value below or at which a part of all values is.
 *
 * @param part  from 0 to 1
 * @returns     seconds, with three digits that count; undefined where there is no value
 */
export function percentile(histogram: Histogram, part: number): number | undefined {
  const buckets = Object.entries(histogram)
    .map(([bucket, count]) => [Number(bucket), count] as const)
    .sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  const rank = Math.max(1, Math.ceil(part * total));
  let below = 0;
  for (const [bucket, count] of buckets) {
    below += count;
    if (below >= rank) return Number(middleOf(bucket).toPrecision(3));
  }
  return undefined;
}

const middleOf = (bucket: number): number => (SHORTEST * Math.exp((bucket + 0.5) * STEP)) / 1000;
