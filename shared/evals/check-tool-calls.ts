import type { EvalCasePlan } from "../schemas/evals/eval-plan.ts";
import type { CalledTool } from "../schemas/evals/eval-trial.ts";
import { ownMember } from "../schemas/values/json-values.ts";

/** How the tool calls of a run compare with what was expected. @source docs/interface/evals.md 3.2 */
export type CheckedCalls = {
  readonly passed_tool_calls: readonly string[];
  readonly failed_tool_calls: readonly string[];
  readonly additional_tool_calls: readonly string[];
  readonly missing_tool_calls: readonly string[];
  readonly passed_argument_checks: readonly string[];
  readonly failed_argument_checks: readonly string[];
};

type Expected = Pick<EvalCasePlan, "expected_tool_calls" | "expected_tool_call_arguments">;

/** @param allowMore  whether unexpected calls are allowed */
export function checkToolCalls(
  calls: readonly CalledTool[],
  { expected_tool_calls, expected_tool_call_arguments }: Expected,
  allowMore: boolean,
): CheckedCalls {
  const expected = new Set(expected_tool_calls ?? []);
  const called = calls.map(({ name }) => name);
  const unexpected = called.filter((name) => !expected.has(name));
  const checked = Object.entries(expected_tool_call_arguments ?? {})
    // A tool that was never called is already missing, or was not expected; its arguments are not checked.
    .filter(([name]) => called.includes(name))
    .map(([name, wanted]) => ({ name, matched: isMatched(calls, name, wanted) }));
  return {
    passed_tool_calls: called.filter((name) => expected.has(name)),
    failed_tool_calls: allowMore ? [] : unexpected,
    additional_tool_calls: allowMore ? unexpected : [],
    missing_tool_calls: [...expected].filter((name) => !called.includes(name)),
    passed_argument_checks: checked.filter(({ matched }) => matched).map(({ name }) => name),
    failed_argument_checks: checked.filter(({ matched }) => !matched).map(({ name }) => name),
  };
}

type Arguments = CalledTool["arguments"];

const isMatched = (
  calls: readonly CalledTool[],
  name: string,
  wanted: Arguments | readonly Arguments[],
): boolean =>
  (Array.isArray(wanted) ? wanted : [wanted]).every((one) =>
    calls.some((call) => call.name === name && matches(call.arguments, one)),
  );

/** Only expected arguments are compared: deeply, and regardless of the order of keys. */
const matches = (actual: Arguments, wanted: Arguments): boolean =>
  Object.entries(wanted).every(([key, value]) => isSame(ownMember(actual, key), value));

function isSame(a: unknown, b: unknown): boolean {
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const entries = Object.entries(a);
  const others = new Map<string, unknown>(Object.entries(b));
  return (
    entries.length === others.size &&
    entries.every(([key, value]) => others.has(key) && isSame(value, others.get(key)))
  );
}
