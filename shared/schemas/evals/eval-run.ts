import * as v from "valibot";
import { RunMetrics } from "../runs/run.ts";
import { EvalResults } from "./eval-results.ts";

const evalTypes = ["accuracy", "agent_as_judge", "performance", "reliability"] as const;
export type EvalType = (typeof evalTypes)[number];
export const EvalType = v.picklist(evalTypes);

/** Ours: the status of an evaluation. A failed one could not be finished, or its results say nothing. */
const evalStatuses = ["running", "completed", "failed"] as const;
export const EvalStatus = v.picklist(evalStatuses);

const json = v.record(v.string(), v.unknown());

/** The results of an evaluation; the members depend on the type. */
export const EvalData = v.pipe(json, v.metadata({ describedBy: EvalResults }));
export type EvalData = v.InferOutput<typeof EvalData>;

/** How many of its trials are done. A trial is one run of the component, with its verdict. */
const Progress = v.object({ done: v.number(), total: v.number() });

/** The totals of an evaluation that lists, comparisons and gates look at. Null where its type has none. */
export const EvalTotals = v.object({
  /** The mean of the judge's scores. */
  score: v.nullable(v.number()),
  /** 0 to 100: how many of its cases passed. */
  pass_rate: v.nullable(v.number()),
  /** Ours, of reliability: whether any of its cases expects a tool call; absent from earlier ones. */
  expects: v.optional(v.boolean()),
});
export type EvalTotals = v.InferOutput<typeof EvalTotals>;

/** @source docs/interface/evals.md 1.2 */
export const EvalRun = v.object({
  id: v.string(),
  eval_type: EvalType,
  name: v.nullable(v.string()),
  agent_id: v.nullable(v.string()),
  team_id: v.nullable(v.string()),
  /** Always null: workflows are no targets. */
  workflow_id: v.nullable(v.string()),
  /** The judge's model for agent_as_judge, the component's for all others. */
  model_id: v.nullable(v.string()),
  model_provider: v.nullable(v.string()),
  evaluated_component_name: v.nullable(v.string()),
  eval_data: EvalData,
  eval_input: v.nullable(v.record(v.string(), v.unknown())),
  /** RFC 3339. */
  created_at: v.nullable(v.string()),
  updated_at: v.nullable(v.string()),
  user_id: v.nullable(v.string()),
  status: EvalStatus,
  /** Why it failed. */
  error: v.nullable(v.string()),
  progress: Progress,
  /** How many cases it has. */
  cases: v.number(),
  /** Usage of its runs and its judge; known at its end. */
  metrics: v.optional(RunMetrics),
  /** Of a stored component: the version that is evaluated. */
  component_version: v.optional(v.number()),
  /** The dataset whose cases it has, and which version of it. */
  dataset_id: v.optional(v.string()),
  dataset_version: v.optional(v.number()),
  /** Of an evaluation that judges a run which a user asked for: that run. */
  run_id: v.optional(v.string()),
  session_id: v.optional(v.string()),
});
export type EvalRun = v.InferOutput<typeof EvalRun>;

/** One case of an evaluation, with its own results. */
export const EvalCase = v.object({
  /** Counted from 1. */
  number: v.number(),
  name: v.nullable(v.string()),
  input: v.string(),
  /** `completed` once each of its runs has what is measured; `failed` if they are over and one has not. */
  status: v.picklist(["waiting", "running", "completed", "failed"]),
  /** Why it failed. */
  error: v.nullable(v.string()),
  /** Null where cases of this type cannot pass, and until it is over. */
  passed: v.nullable(v.boolean()),
  eval_data: EvalData,
  progress: Progress,
  /** Where its runs are. */
  runs: v.array(v.object({ run_id: v.string(), session_id: v.string(), status: v.string() })),
});
export type EvalCase = v.InferOutput<typeof EvalCase>;
