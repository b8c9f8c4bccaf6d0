import type { RunStatus } from "../../../schemas/runs/run.ts";
import type { RunVerdict } from "../../../schemas/runs/run-verdict.ts";
import type { Db } from "../../db.ts";
import type { JudgedAs } from "../../feedback/index.ts";
import { type Large, unspillFields } from "../../objects/spill.ts";

/** Which runs are wanted, beyond what an index shows; all when absent. */
export type RunConditions = {
  readonly statuses?: ReadonlySet<RunStatus> | undefined;
  /** A part of the error's text, case-sensitive; only failed runs have an error. */
  readonly error_contains?: string | undefined;
  /** Version of a stored component. */
  readonly version?: number | undefined;
  /** The least dollars, with everything that ran within the run. A run without a known cost has none. */
  readonly cost_min?: number | undefined;
  /** The least seconds of execution. */
  readonly duration_min?: number | undefined;
  /** A tool that the run, a member or a step of it has called. */
  readonly tool?: string | undefined;
  /** As `searchTerms` gives them: each must be in the input, the answer, the error or what was said about the run. */
  readonly terms?: readonly string[] | undefined;
  /** Feedback that was given on the run, or on a message of it. */
  readonly judged?: JudgedAs | undefined;
  /** What the judge of its component has found. */
  readonly verdict?: RunVerdict | undefined;
};

type Figures = { readonly cost?: number | undefined; readonly duration?: number | undefined };
type Head = {
  readonly status: RunStatus;
  readonly component_version?: number | undefined;
  readonly output: { readonly metrics?: Figures | undefined; readonly total_metrics?: Figures | undefined };
};

/** Whether a run meets what its head shows. */
export function meetsFigures(
  { status, component_version, output }: Head,
  { statuses, version, cost_min, duration_min }: RunConditions,
): boolean {
  if (statuses && !statuses.has(status)) return false;
  if (version !== undefined && component_version !== version) return false;
  const { cost, duration } = output.total_metrics ?? output.metrics ?? {};
  return isAtLeast(cost, cost_min) && isAtLeast(duration, duration_min);
}

const isAtLeast = (figure: number | undefined, least: number | undefined): boolean =>
  least === undefined || (figure !== undefined && figure >= least);

/** Whether runs are wanted by what only their texts and calls show. */
export const looksInside = ({ tool, terms }: RunConditions): boolean =>
  tool !== undefined || terms !== undefined;

/** Fields of an output that hold calls: those of the run itself, and of the runs within it. */
export const callFields = ["tools", "member_responses", "step_executor_runs"] as const;

type WithCalls = {
  readonly tools?: readonly { readonly tool_name: string }[] | undefined;
  readonly member_responses?: readonly WithCalls[] | undefined;
  readonly step_executor_runs?: readonly WithCalls[] | undefined;
};

/**
 * Whether a run, or one within it, has called a tool.
 *
 * @param output  as its item has it, with at least the `callFields`
 * @throws ServiceError when an object is missing or damaged
 */
export const hasCalled = async (
  db: Db,
  { output = {}, output_large }: { readonly output?: object; readonly output_large?: Large },
  tool: string,
): Promise<boolean> => calls(await unspillFields<WithCalls>(db, output, output_large, callFields), tool);

const calls = ({ tools, member_responses, step_executor_runs }: WithCalls, tool: string): boolean =>
  tools?.some(({ tool_name }) => tool_name === tool) === true ||
  [...(member_responses ?? []), ...(step_executor_runs ?? [])].some((within) => calls(within, tool));
