import fc from "fast-check";
import { anyText, anything } from "./arbitrary-of.ts";

/** Values that hardly any schema allows where something else is expected. */
const wrong: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, -1, 0, 1e308, 1.5, "", [], {}, [[]], { __proto__: { admin: true } }, [null]),
  anyText,
  anything,
);

/** A value with one place of it replaced, removed or added to. */
export function damaged(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value)) {
    return fc.oneof(
      wrong,
      wrong.map((one) => [...value, one]),
      ...value.map((one, at) => damaged(one).map((worse) => value.with(at, worse))),
    );
  }
  if (typeof value !== "object" || value === null) return wrong;
  const names = Object.keys(value);
  const entries: Readonly<Record<string, unknown>> = { ...value };
  if (names.length === 0) return wrong;
  const without = fc.constantFrom(...names).map((name) => {
    const { [name]: _, ...rest } = entries;
    return rest;
  });
  const within = fc
    .constantFrom(...names)
    .chain((name) => damaged(entries[name]).map((worse) => ({ ...entries, [name]: worse })));
  const extended = fc.tuple(anyText, wrong).map(([name, one]) => ({ ...entries, [name]: one }));
  return fc.oneof(
    { weight: 5, arbitrary: within },
    { weight: 2, arbitrary: without },
    { weight: 1, arbitrary: extended },
    { weight: 1, arbitrary: wrong },
  );
}
