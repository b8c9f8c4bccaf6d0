import fc from "fast-check";

type Field = { readonly min: number; readonly max: number };

const between = (min: number, max: number) => fc.integer({ min, max });
/** The oracle takes no step above the field's last value; ours does, see the table of expressions. */
const step = ({ max }: Field) => between(1, max);

/** A value, a range that does not wrap, a star, each of the latter with a step or without. */
const item = ({ min, max }: Field) =>
  fc.oneof(
    between(min, max).map(String),
    fc
      .tuple(between(min, max), between(min, max), fc.option(step({ min, max }), { nil: undefined }))
      .map(([a, b, by]) => `${Math.min(a, b)}-${Math.max(a, b)}${by === undefined ? "" : `/${by}`}`),
    step({ min, max }).map((by) => `*/${by}`),
  );

const field = (bounds: Field) =>
  fc.oneof(
    fc.constant("*"),
    fc.array(item(bounds), { minLength: 1, maxLength: 4 }).map((items) => items.join(",")),
  );

const daysOfMonth = fc.oneof(
  { weight: 5, arbitrary: field({ min: 1, max: 31 }) },
  { weight: 1, arbitrary: fc.constantFrom("L", "?", "1,L", "15,L") },
);
const weekdays = fc.oneof(
  { weight: 5, arbitrary: field({ min: 0, max: 7 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("?", "5#2", "MON#1", "0#5", "mon-FRI", "SUN", "L5", "1,L5", "2#1,4#3"),
  },
);
const months = fc.oneof(
  { weight: 4, arbitrary: field({ min: 1, max: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom("JAN-mar", "feb", "DEC,jun", "feb-NOV/3") },
);

/** Expressions of five fields. */
export const randomCron = fc
  .tuple(field({ min: 0, max: 59 }), field({ min: 0, max: 23 }), daysOfMonth, months, weekdays)
  .map((fields) => fields.join(" "));
