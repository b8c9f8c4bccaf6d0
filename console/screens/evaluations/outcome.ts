import type { EvalRun } from "../../../client/index.ts";
import { countText } from "../../parts/amounts.ts";
import type { Tone } from "../../parts/badge.tsx";
import { durationText } from "../../parts/time.tsx";
import type { EvalType } from "./use-evaluations.ts";

export const typeText: Readonly<Record<EvalType, string>> = {
  accuracy: "Accuracy",
  agent_as_judge: "Judged by criteria",
  reliability: "Tool calls",
  performance: "Speed",
};

/** The result of an evaluation, or of one of its cases. */
export type Outcome = {
  /** Score, share or time as text; undefined while nothing is known. */
  readonly text: string | undefined;
  readonly tone?: Tone;
  /** For comparing: higher is better, except for times. */
  readonly value?: number;
};

type Data = Readonly<Record<string, unknown>>;

/** Reads what the platform measured; the members depend on the type. */
export function outcomeOf(type: EvalType, data: Data): Outcome {
  switch (type) {
    case "accuracy": {
      const score = numberIn(data, "avg_score");
      return score === undefined ? { text: undefined } : { text: `${scoreText(score)} of 10`, value: score };
    }
    case "agent_as_judge":
      return judged(data);
    case "reliability": {
      const { eval_status } = data;
      if (eval_status === "PASSED") return { text: "Passed", tone: "good", value: 1 };
      return eval_status === "FAILED" ? { text: "Failed", tone: "bad", value: 0 } : { text: undefined };
    }
    case "performance": {
      const seconds = numberIn((data.result ?? {}) as Data, "avg_run_time");
      return seconds === undefined ? { text: undefined } : { text: durationText(seconds), value: seconds };
    }
  }
}

function judged(data: Data): Outcome {
  const results = resultsIn(data);
  const passed = results.filter((one) => one.passed === true).length;
  const decided = results.filter((one) => typeof one.passed === "boolean").length;
  const score = numberIn(data, "avg_score");
  if (decided === 0) {
    return score === undefined ? { text: undefined } : { text: `${scoreText(score)} of 10`, value: score };
  }
  const tone: Tone = passed === decided ? "good" : "bad";
  if (decided === 1) return { text: passed === 1 ? "Passed" : "Failed", tone, value: passed };
  return { text: `${countText(passed)} of ${countText(decided)} passed`, tone, value: passed / decided };
}

export type Result = {
  readonly output?: string;
  readonly expected_output?: string;
  readonly criteria?: string;
  readonly reason?: string;
  readonly score?: number | null;
  readonly passed?: boolean | null;
};

/** The verdicts, one for each run that was scored. */
export const resultsIn = (data: Data): readonly Result[] =>
  Array.isArray(data.results) ? (data.results as readonly Result[]) : [];

export const namesIn = (data: Data, name: string): readonly string[] =>
  Array.isArray(data[name]) ? (data[name] as readonly string[]) : [];

export const numberIn = (data: Data, name: string): number | undefined =>
  typeof data[name] === "number" ? data[name] : undefined;

export const scoreText = (score: number): string => String(Math.round(score * 10) / 10);

export const nameOf = ({ name, eval_type, evaluated_component_name, agent_id, team_id }: EvalRun): string =>
  name ?? `${typeText[eval_type]} of ${evaluated_component_name ?? agent_id ?? team_id ?? "a component"}`;
