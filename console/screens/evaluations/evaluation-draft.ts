import type { Operations } from "../../../client/index.ts";
import type { EvalType } from "./use-evaluations.ts";

type Body = Operations["createEval"]["input"]["body"];

/** One case as it is typed. */
export type CaseDraft = {
  readonly key: number;
  readonly name: string;
  readonly input: string;
  /** The expected answer, the criteria, or names of tools with commas between, by the type. */
  readonly expected: string;
};

export type Draft = {
  readonly name: string;
  readonly type: EvalType;
  /** `kind:id` */
  readonly target: string;
  readonly iterations: string;
  readonly isNumeric: boolean;
  readonly threshold: string;
  readonly allowsMore: boolean;
  readonly cases: readonly CaseDraft[];
};

export const emptyCase = (key: number): CaseDraft => ({ key, name: "", input: "", expected: "" });

export const emptyDraft = (target: string): Draft => ({
  name: "",
  type: "accuracy",
  target,
  iterations: "1",
  isNumeric: false,
  threshold: "7",
  allowsMore: false,
  cases: [emptyCase(0)],
});

export const expectedLabel: Readonly<Record<EvalType, string | undefined>> = {
  accuracy: "Expected answer",
  agent_as_judge: "Criteria",
  reliability: "Expected tools",
  performance: undefined,
};

/** What the reader must fill in before anything is sent, by the key of the case. */
export function problemsOf({
  type,
  cases,
}: Draft): ReadonlyMap<number, { input?: string; expected?: string }> {
  const label = expectedLabel[type];
  const faulty = cases.flatMap(({ key, input, expected }) => {
    const problems = {
      ...(input.trim() === "" && { input: "A case needs an input" }),
      ...(label !== undefined && expected.trim() === "" && { expected: `${label}: this type needs it` }),
    };
    return Object.keys(problems).length === 0 ? [] : [[key, problems] as const];
  });
  return new Map(faulty);
}

export function bodyOf(draft: Draft): Body {
  const { name, type, target, iterations, isNumeric, threshold, allowsMore, cases } = draft;
  const colon = target.indexOf(":");
  const id = target.slice(colon + 1);
  return {
    eval_type: type,
    ...(target.startsWith("team:") ? { team_id: id } : { agent_id: id }),
    ...(name.trim() !== "" && { name: name.trim() }),
    ...((type === "accuracy" || type === "performance") && { num_iterations: Number(iterations) }),
    ...(type === "agent_as_judge" && {
      scoring_strategy: isNumeric ? ("numeric" as const) : ("binary" as const),
      ...(isNumeric && { threshold: Number(threshold) }),
    }),
    ...(type === "reliability" && { allow_additional_tool_calls: allowsMore }),
    cases: cases.map((one) => caseOf(type, one)),
    background: true,
  };
}

function caseOf(type: EvalType, { name, input, expected }: CaseDraft): NonNullable<Body["cases"]>[number] {
  const tools = expected
    .split(",")
    .map((tool) => tool.trim())
    .filter((tool) => tool !== "");
  return {
    input,
    ...(name.trim() !== "" && { name: name.trim() }),
    ...(type === "accuracy" && { expected_output: expected }),
    ...(type === "agent_as_judge" && { criteria: expected }),
    ...(type === "reliability" && { expected_tool_calls: tools }),
  };
}
