import { createHash } from "node:crypto";
import type { AddCasesBody } from "../schemas/evals/dataset-case.ts";
import { type StoredCase, sourceKey } from "../stores/evals/index.ts";
import type { StoredFeedback } from "../stores/feedback/index.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";

type Asked = Pick<AddCasesBody, "expected" | "tags" | "split" | "on_removed_source">;

/** Characters that a text of a case may have. */
const MAX_CHARS = 100_000;

/**
 * The case that a run makes, or why it makes none.
 *
 * @param corrections  what its answer should have been, the oldest first
 * @param redacted     takes personal data out of a text
 */
export function caseOfRun(
  run: StoredRun,
  corrections: readonly StoredFeedback[],
  { expected, tags, split, on_removed_source }: Asked,
  redacted: (text: string) => string,
): StoredCase | string {
  const { status, output, owner, session_id, run_id } = run;
  if (status !== "COMPLETED" && status !== "ERROR" && status !== "CANCELLED") return `it is ${status}`;
  const asked = output.input.input_content;
  if (asked === "") return "it has no text as its input";
  const correction = corrections.map((one) => one.correction).findLast((text) => text !== undefined);
  if (expected === "correction" && correction === undefined) return "there is no correction of it";
  if (expected === "answer" && status !== "COMPLETED") return `it is ${status}, and has no answer`;
  const wanted =
    expected === "correction" ? correction : expected === "answer" ? answerOf(output) : undefined;
  if (expected !== "none" && !wanted) return "its answer is empty";
  if (asked.length > MAX_CHARS || (wanted ?? "").length > MAX_CHARS)
    return `its input or what is expected has more than ${MAX_CHARS} characters`;
  const isKept = on_removed_source === "keep";
  return {
    id: caseIdOf(run_id),
    input: redacted(asked),
    ...(wanted !== undefined && { expected_output: redacted(wanted) }),
    ...(tags && { tags }),
    ...(split && { split }),
    source: {
      // A case that outlives its session leads to none.
      ...(!isKept && { run_id, session_id }),
      component_type: run.component_type,
      component_id: run.component_id,
      ...(run.component_version !== undefined && { component_version: run.component_version }),
      tool_calls: callsIn(output),
    },
    ...(!isKept && { source_key: sourceKey({ owner, session_id }) }),
  };
}

/** A run makes one case of a dataset at most. */
export const caseIdOf = (run_id: string): string =>
  `case_${createHash("sha256").update(run_id).digest("hex").slice(0, 20)}`;

const answerOf = ({ content }: StoredRun["output"]): string =>
  typeof content === "string" ? content : content === undefined ? "" : JSON.stringify(content);

type WithCalls = {
  readonly tools?: readonly unknown[] | undefined;
  readonly member_responses?: readonly WithCalls[] | undefined;
  readonly step_executor_runs?: readonly WithCalls[] | undefined;
};

const callsIn = ({ tools = [], member_responses = [], step_executor_runs = [] }: WithCalls): number =>
  [...member_responses, ...step_executor_runs].reduce((sum, within) => sum + callsIn(within), tools.length);
