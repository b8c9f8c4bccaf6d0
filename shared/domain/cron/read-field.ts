/** What is wrong with a cron expression. Thrown and caught within this folder only. */
export class CronError extends Error {
  override readonly name = "CronFault";
}

export type FieldRange = {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Values that differ by this are the same. */
  readonly cycle?: number;
  /** Names for the values from `min` on, in lower case. */
  readonly words?: readonly string[];
};

/**
 * The values of one field: a list whose items are `*`, a value or a range; `*` and ranges may have a step.
 *
 * @param field  in lower case
 * @throws CronError
 */
export function readField(field: string, range: FieldRange): number[] {
  const values = field.split(",").flatMap((item) => readItem(item, range));
  return [...new Set(values.map((value) => (range.cycle ? value % range.cycle : value)))].sort(
    (a, b) => a - b,
  );
}

function readItem(item: string, range: FieldRange): number[] {
  const [span = "", step, ...rest] = item.split("/");
  if (rest.length > 0) throw unreadable(item, range);
  const [first = "", last, ...more] = span.split("-");
  if (more.length > 0) throw unreadable(item, range);
  if (span === "*") return stepsOf(range.min, fullMax(range), stepOf(step, item), range);
  const from = readValue(first, range);
  if (last !== undefined) return stepsOf(from, readValue(last, range), stepOf(step, item), range);
  if (step !== undefined) throw new CronError(`"${item}": a step needs a range or * before it`);
  return [from];
}

/** One value, as a number or by its name. */
export function readValue(text: string, range: FieldRange): number {
  const word = range.words?.indexOf(text) ?? -1;
  if (word >= 0) return range.min + word;
  if (!/^\d{1,2}$/.test(text)) throw unreadable(text, range);
  const value = Number(text);
  if (value < range.min || value > range.max) {
    throw new CronError(`${range.name} ${value} is not between ${range.min} and ${range.max}`);
  }
  return value;
}

function stepOf(text: string | undefined, item: string): number {
  if (text === undefined) return 1;
  const step = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (step === 0) throw new CronError(`"${item}": a step must be a whole number above 0`);
  return step;
}

/** A range whose end is before its start wraps around: 22-4 is 22 to 23 and 0 to 4. */
function stepsOf(from: number, to: number, step: number, range: FieldRange): number[] {
  const size = fullMax(range) - range.min + 1;
  const length = to >= from ? to - from : to - from + size;
  const values: number[] = [];
  for (let offset = 0; offset <= length; offset += step) {
    const value = from + offset;
    values.push(value > range.max ? value - size : value);
  }
  return values;
}

/** The last of the distinct values. */
const fullMax = ({ min, max, cycle }: FieldRange): number => (cycle ? min + cycle - 1 : max);

function unreadable(text: string, { name }: FieldRange): CronError {
  return new CronError(text === "" ? `a value of ${name} is missing` : `"${text}" is no ${name}`);
}
