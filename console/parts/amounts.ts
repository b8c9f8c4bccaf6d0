const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });

/** A number that may not be there. */
type Count = number | undefined | null;
const isKnown = (count: Count): count is number =>
  count !== undefined && count !== null && !Number.isNaN(count);

/** How many, with separators; a dash where that is not known. */
export const countText = (count: Count): string => (isKnown(count) ? whole.format(count) : "–");
/** How many there are, such as "3 sessions"; a space while that is not known. */
export const countOf = (count: Count, one: string, many = `${one}s`): string =>
  isKnown(count) ? `${countText(count)} ${count === 1 ? one : many}` : " ";
/** The same for places with little room: from ten thousand on rounded, such as "1.2M". */
export const shortCount = (count: Count): string =>
  isKnown(count) && Math.abs(count) >= 10_000 ? short.format(count) : countText(count);

/** Below this a sum rounds to nothing, and is said to be less. */
const LEAST_DOLLARS = 0.0001;

/**
 * Money in dollars, as the platform counts it: cents from a dollar on, four digits below, so that a column has one notation for
 * the amounts of runs.
 *
 * @param cost  undefined where no price is known for the model
 */
export function moneyText(cost: number | undefined | null): string {
  if (cost === undefined || cost === null || Number.isNaN(cost)) return "unknown";
  const dollars = Math.abs(cost);
  // Differences of sums leave dust, which is no debt.
  if (dollars < 1e-9) return "$0";
  const sign = cost < 0 ? "−" : "";
  if (dollars < LEAST_DOLLARS) return `${sign}<$${LEAST_DOLLARS}`;
  return `${sign}$${dollars >= 0.99995 ? cents.format(dollars) : dollars.toFixed(4)}`;
}

const cents = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** What was used, as records of runs, sessions and evaluations have it; no tokens are left out of them as undefined. */
type Used = {
  readonly cost?: number | undefined;
  readonly input_tokens?: number | undefined;
  readonly total_tokens?: number | undefined;
};

/** What something cost: the same text wherever it is shown. Undefined where no model was asked, so that nothing could cost. */
export function costText({ cost, input_tokens, total_tokens }: Used): string | undefined {
  if (cost === undefined && !input_tokens && !total_tokens) return undefined;
  return moneyText(cost);
}

/** @param seconds  of a duration; it is rounded before its unit is chosen */
export function durationText(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  if (ms < 1000) return `${Math.max(1, ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days`;
}

/** The share of a prompt that was read from the cache of the model's service; undefined where nothing was. */
export function cachedText(input: number | undefined, read: number | undefined): string | undefined {
  if (!input || !read) return undefined;
  return `${Math.round((read / input) * 100)} %`;
}

const sizes = ["B", "KB", "MB", "GB"];

export function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < sizes.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${size.toFixed(size < 10 && unit > 0 ? 1 : 0)} ${sizes[unit]}`;
}
