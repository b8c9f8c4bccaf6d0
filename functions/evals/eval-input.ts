import type { CreateEvalBody } from "../../shared/schemas/evals/eval-bodies.ts";
import type { EvalPlan } from "../../shared/schemas/evals/eval-plan.ts";
import type { StoredEval } from "../../shared/stores/evals/index.ts";

type Input = StoredEval["eval_input"];

/** The input of an evaluation as its record shows it; its cases are shown separately. */
export function evalInput(body: CreateEvalBody, plan: EvalPlan): Input {
  const orNull = <K extends keyof CreateEvalBody>(name: K) => ({ [name]: body[name] ?? null });
  const { num_iterations, warmup_runs, scoring_strategy, threshold, allow_additional_tool_calls } = plan;
  switch (body.eval_type) {
    case "accuracy":
      return {
        ...orNull("input"),
        ...orNull("expected_output"),
        num_iterations,
        ...orNull("additional_guidelines"),
        ...orNull("additional_context"),
      };
    case "agent_as_judge":
      return {
        ...orNull("criteria"),
        scoring_strategy,
        threshold: scoring_strategy === "binary" ? null : threshold,
        ...orNull("additional_guidelines"),
      };
    case "performance":
      return { num_iterations, warmup_runs };
    case "reliability":
      return {
        ...orNull("expected_tool_calls"),
        allow_additional_tool_calls,
        ...orNull("expected_tool_call_arguments"),
      };
  }
}
