import { metricsWithin, sumOfMetrics } from "../engine/run/metrics.ts";
import type { EvalTrial, Verdict } from "../schemas/evals/eval-trial.ts";
import type { RunMetrics, RunOutput } from "../schemas/runs/run.ts";
import type { StoredOutput } from "../schemas/runs/stored-output.ts";
import { cutText } from "./cut-text.ts";
import type { EvalWork } from "./eval-work.ts";
import { hasFailed } from "./failure-of.ts";
import { type JudgeQuestion, judge } from "./judge.ts";
import { addressOf, trialRun } from "./trial-run.ts";
import { caseOf } from "./trials.ts";

/**
 * Runs one trial: runs the component, and asks the judge about the answer where the evaluation needs one.
 *
 * @returns undefined where the run yielded, to be resumed later
 * @throws  RunStopped with kind `lost` when nothing more may be written
 */
export async function runTrial(work: EvalWork, number: number): Promise<EvalTrial | undefined> {
  const { memoryMib } = work.deps;
  const before = memoryMib();
  const ran = await trialRun(work, number);
  if (!ran) return undefined;
  const { output, seconds } = ran;
  const memory_mib = Math.max(0, memoryMib() - before);
  const answer = textOf(output);
  const { verdict, fault, metrics } = await judged(work, number, output, answer);
  const { run_id, session_id } = addressOf(work, number);
  return {
    number,
    run_id,
    session_id,
    run_status: output.status,
    ...(work.record.online && { input: cutText(output.input.input_content) }),
    output: cutText(answer),
    tool_calls: callsOf(output),
    seconds,
    memory_mib,
    ...(verdict && { verdict }),
    ...(fault !== undefined && { fault }),
    // A run that a user asked for is paid and counted already.
    metrics: sumOfMetrics([...(work.record.online ? [] : metricsWithin(output)), metrics]),
    ...(metrics && { judge: metrics }),
  };
}

const textOf = ({ content }: StoredOutput): string =>
  typeof content === "string" ? content : content === undefined ? "" : JSON.stringify(content);

const callsOf = ({ tools = [], member_responses = [] }: RunOutput): EvalTrial["tool_calls"] => [
  ...tools.map(({ tool_name, tool_args }) => ({ name: tool_name, arguments: tool_args })),
  ...member_responses.flatMap(callsOf),
];

type Judged = { readonly verdict?: Verdict; readonly fault?: string; readonly metrics?: RunMetrics };

async function judged(work: EvalWork, number: number, output: StoredOutput, answer: string): Promise<Judged> {
  const { deps, plan, signal } = work;
  const question = questionOf(work, number, output, answer);
  // An empty answer is not judged.
  if (!question || answer === "") return {};
  const { id, user_id, online } = work.record;
  // Whoever operates the component has a run judged that another user asked for, and pays for it.
  const payer = online ? null : user_id;
  const call = { spec: plan.judge, user_id: payer, key: `${id}#judge#${number}` };
  const { verdict, ...rest } = await judge(deps, call, question, signal);
  if (!verdict) return rest;
  const isNumeric = work.record.eval_type === "agent_as_judge" && verdict.score !== null;
  const passes = isNumeric ? (verdict.score ?? 0) >= plan.threshold : verdict.passed;
  // The error of a run that failed is no answer, whatever the judge makes of it.
  return {
    verdict: { ...verdict, passed: hasFailed({ run_status: output.status }) ? false : passes },
    ...rest,
  };
}

/** The question to the judge: criteria come before the answer to judge. */
function questionOf(
  { record, plan }: EvalWork,
  number: number,
  { input }: StoredOutput,
  answer: string,
): JudgeQuestion | undefined {
  const evalCase = caseOf(plan, number);
  const shown = { input: record.online ? input.input_content : evalCase.input, answer };
  const { additional_guidelines: guidelines, additional_context: context } = evalCase;
  if (record.eval_type === "accuracy") {
    return {
      task: "An assistant was given the input. Compare its answer with the expected output, which is true, and score how accurate and complete the answer is.",
      material: { guidelines, context, expected_output: evalCase.expected_output, ...shown },
      gives: "score",
    };
  }
  if (record.eval_type !== "agent_as_judge") return undefined;
  return {
    task: "An assistant was given the input. Judge its answer by the criteria alone.",
    material: { criteria: evalCase.criteria, guidelines, ...shown },
    gives: plan.scoring_strategy === "numeric" ? "score" : "passed",
  };
}
