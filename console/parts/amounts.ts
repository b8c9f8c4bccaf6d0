const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });

export const countText = (count: number): string => whole.format(count);
/** How many there are, such as "3 sessions"; a space while that is not known. */
export const countOf = (count: number | undefined, one: string, many = `${one}s`): string =>
  count === undefined ? " " : `${countText(count)} ${count === 1 ? one : many}`;
export const shortCount = (count: number): string =>
  Math.abs(count) < 10_000 ? whole.format(count) : short.format(count);

/**
 * Money in dollars, as the platform counts it.
 *
 * @param cost  undefined where no price is known for the model
 */
export function moneyText(cost: number | undefined | null): string {
  if (cost === undefined || cost === null) return "unknown";
  if (cost === 0) return "$0";
  const digits = cost >= 1 ? 2 : cost >= 0.01 ? 3 : Math.min(8, 1 - Math.floor(Math.log10(cost)));
  return `$${cost.toFixed(digits)}`;
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
