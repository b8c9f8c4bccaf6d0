import type { FieldValue, TraceFacts, TraceFilter } from "./trace-filter.ts";

/** True, false, or unknown, as in SQL: a comparison with a missing value is unknown. */
type Truth = boolean | undefined;

/** Whether a trace matches a filter. @source docs/interface/traces.md 2.2 */
export const matchesTrace = (facts: TraceFacts, filter: TraceFilter): boolean =>
  truthOf(facts, filter) === true;

function truthOf(facts: TraceFacts, filter: TraceFilter): Truth {
  switch (filter.op) {
    case "AND":
      return every(filter.conditions.map((one) => truthOf(facts, one)));
    case "OR":
      return not(every(filter.conditions.map((one) => not(truthOf(facts, one)))));
    case "NOT":
      return not(truthOf(facts, filter.condition));
    case "IN": {
      const actual = facts[filter.key];
      return actual === undefined ? undefined : filter.values.includes(actual);
    }
    default: {
      const actual = facts[filter.key];
      return actual === undefined ? undefined : compare[filter.op](actual, filter.value);
    }
  }
}

const not = (truth: Truth): Truth => (truth === undefined ? undefined : !truth);

function every(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(undefined) ? undefined : true;
}

type Compare = (actual: FieldValue, wanted: FieldValue) => boolean;

const compare = {
  EQ: (actual, wanted) => actual === wanted,
  NEQ: (actual, wanted) => actual !== wanted,
  GT: (actual, wanted) => actual > wanted,
  GTE: (actual, wanted) => actual >= wanted,
  LT: (actual, wanted) => actual < wanted,
  LTE: (actual, wanted) => actual <= wanted,
  CONTAINS: (actual, wanted) => folded(actual).includes(folded(wanted)),
  STARTSWITH: (actual, wanted) => folded(actual).startsWith(folded(wanted)),
} as const satisfies Record<string, Compare>;

const folded = (value: FieldValue): string => String(value).toLowerCase();
