import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { indexBoundsOf } from "../../shared/domain/traces/index-bounds-of.ts";
import { matchesTrace } from "../../shared/domain/traces/matches-trace.ts";
import { readFilter } from "../../shared/domain/traces/read-filter.ts";
import { type TraceField, traceFields } from "../../shared/domain/traces/trace-fields.ts";
import type { TraceFacts, TraceFilter } from "../../shared/domain/traces/trace-filter.ts";
import { durationMs, wireDuration } from "../../shared/domain/traces/wire-time.ts";
import { ServiceError } from "../../shared/errors.ts";

/** What metrics-evals-traces C.6 says of formulas. */
const NINE = Date.parse("2026-03-04T09:00:00Z");
const facts: TraceFacts = {
  trace_id: "t-1",
  name: "Calc.run",
  status: "OK",
  run_id: "r-1",
  session_id: "100%_sure",
  user_id: "mira",
  agent_id: "calc",
  duration_ms: 1500,
  start_time: NINE,
  end_time: NINE + 1500,
  created_at: NINE + 2000,
};
const matches = (filter: unknown) => matchesTrace(facts, readFilter(filter));
const is = (op: string, key: string, value: unknown) => ({ op, key, value });

describe("a comparison", () => {
  test.each([
    [is("EQ", "name", "Calc.run"), true],
    [is("EQ", "name", "calc.run"), false],
    [is("NEQ", "status", "ERROR"), true],
    [is("GT", "duration_ms", 1499), true],
    [is("GT", "duration_ms", 1500), false],
    [is("GTE", "duration_ms", "1500"), true],
    [is("LT", "duration_ms", 1500), false],
    [is("LTE", "duration_ms", 1500), true],
    [is("GT", "name", "Balc"), true],
    [is("CONTAINS", "name", "ALC"), true],
    [is("CONTAINS", "session_id", "0%_S"), true],
    [is("CONTAINS", "session_id", "1%sure"), false],
    [is("STARTSWITH", "session_id", "100%"), true],
    [is("STARTSWITH", "session_id", "00"), false],
    [is("CONTAINS", "name", "%"), false],
    [{ op: "IN", key: "agent_id", values: ["a", "calc"] }, true],
    [{ op: "IN", key: "agent_id", values: [] }, false],
    [is("GTE", "start_time", "2026-03-04T10:00:00+01:00"), true],
    [is("GT", "start_time", "2026-03-04T09:00:00"), false],
    [is("EQ", "start_time", "2026-03-04T11:00:00+02:00"), true],
    [is("LT", "created_at", "2026-03-04"), false],
  ] as const)("%j is %s", (filter, expected) => {
    expect(matches(filter)).toBe(expected);
  });

  test.each([
    is("EQ", "team_id", "a"),
    is("NEQ", "team_id", "a"),
    { op: "NOT", condition: is("EQ", "team_id", "a") },
    { op: "NOT", condition: is("NEQ", "team_id", "a") },
    { op: "NOT", condition: { op: "IN", key: "team_id", values: ["a"] } },
    {
      op: "NOT",
      condition: { op: "AND", conditions: [is("EQ", "team_id", "a"), is("EQ", "name", "Calc.run")] },
    },
  ])("with a field that is not there matches nothing: %j", (filter) => {
    expect(matches(filter)).toBe(false);
  });
});

/** SQL's truth, written out: what is not there makes a comparison unknown. */
const sql = (filter: TraceFilter): boolean | null => {
  if (filter.op === "AND" || filter.op === "OR") {
    const isAnd = filter.op === "AND";
    return filter.conditions.map(sql).reduce((a, b) => {
      if (a === !isAnd || b === !isAnd) return !isAnd;
      return a === null || b === null ? null : isAnd;
    }, isAnd);
  }
  if (filter.op === "NOT") {
    const truth = sql(filter.condition);
    return truth === null ? null : !truth;
  }
  if (filter.op !== "EQ" && filter.op !== "NEQ") throw new Error("only these are made here");
  const actual = facts[filter.key];
  if (actual === undefined) return null;
  return (actual === filter.value) === (filter.op === "EQ");
};

test("formulas are true where SQL's are", () => {
  const leaf = fc.record({
    op: fc.constantFrom("EQ" as const, "NEQ" as const),
    key: fc.constantFrom<TraceField>("name", "team_id", "agent_id"),
    value: fc.constantFrom("Calc.run", "calc", "x"),
  });
  const { formula } = fc.letrec<{ formula: TraceFilter }>((tie) => ({
    formula: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      leaf,
      fc.record({ op: fc.constant("NOT" as const), condition: tie("formula") }),
      fc.record({
        op: fc.constantFrom("AND" as const, "OR" as const),
        conditions: fc.array(tie("formula"), { minLength: 1, maxLength: 3 }),
      }),
    ),
  }));
  fc.assert(
    fc.property(formula, (filter) => {
      expect(matchesTrace(facts, readFilter(filter))).toBe(sql(filter) === true);
    }),
  );
});

describe("a formula that makes no sense is refused", () => {
  test.each([
    is("eq", "name", "x"),
    is("LIKE", "name", "x"),
    { key: "name", value: "x" },
    { op: "EQ", value: "x" },
    { op: "EQ", key: "name" },
    is("EQ", "name", null),
    is("EQ", "name", 7),
    is("EQ", "colour", "x"),
    is("EQ", "__proto__", "x"),
    is("GT", "duration_ms", "long"),
    is("GT", "start_time", "yesterday"),
    { op: "IN", key: "name", value: "x" },
    { op: "IN", key: "name", values: "x" },
    { op: "IN", key: "name", values: [null] },
    { op: "AND" },
    { op: "OR", conditions: [] },
    { op: "AND", conditions: {} },
    { op: "NOT" },
    { op: "NOT", condition: [is("EQ", "name", "x")] },
    { op: "AND", conditions: ["x"] },
  ])("%j", (filter) => {
    expect(() => readFilter(filter)).toThrow(ServiceError);
  });

  test("when it is nested more than ten levels deep", () => {
    const nested = (levels: number): object =>
      levels === 0 ? is("EQ", "status", "OK") : { op: "NOT", condition: nested(levels - 1) };
    expect(matches(nested(10))).toBe(true);
    expect(() => readFilter(nested(11))).toThrow(ServiceError);
  });
});

test("what an index can use of a formula holds of everything that the formula matches", () => {
  const both = readFilter({
    op: "AND",
    conditions: [
      is("EQ", "agent_id", "calc"),
      is("GTE", "start_time", "2026-03-04T09:00:00Z"),
      { op: "AND", conditions: [is("LTE", "end_time", "2026-03-04T10:00:00Z")] },
      { op: "OR", conditions: [is("EQ", "user_id", "mira"), is("EQ", "user_id", "eve")] },
    ],
  });
  expect(indexBoundsOf(both)).toEqual({
    equal: { agent_id: "calc" },
    from: NINE,
    to: NINE + 3_600_000,
    isWhole: false,
    isFailed: false,
  });
  expect(indexBoundsOf(readFilter({ op: "NOT", condition: is("EQ", "user_id", "mira") })).equal).toEqual({});
  expect(indexBoundsOf(readFilter(is("EQ", "session_id", "s"))).isWhole).toBe(true);
  expect(indexBoundsOf(readFilter(is("EQ", "status", "OK")))).toMatchObject({
    isWhole: false,
    isFailed: false,
  });
  expect(indexBoundsOf(readFilter(is("EQ", "status", "ERROR")))).toMatchObject({
    isWhole: false,
    isFailed: true,
  });
  expect(indexBoundsOf(readFilter({ op: "NOT", condition: is("EQ", "status", "ERROR") })).isFailed).toBe(
    false,
  );
});

test("fields that are offered are the thirteen that can be asked for", () => {
  expect(Object.keys(traceFields)).toHaveLength(13);
});

test("what took less than the clock counts took one of its milliseconds", () => {
  expect([durationMs(5, 5), durationMs(5, 6), durationMs(5, 1_505)]).toEqual([1, 1, 1_500]);
});

test.each([
  [1, "1ms"],
  [999, "999ms"],
  [999.6, "1.00s"],
  [1000, "1.00s"],
  [1500, "1.50s"],
  [65_432, "65.43s"],
] as const)("%d ms are shown as %s", (ms, shown) => {
  expect(wireDuration(ms)).toBe(shown);
});
