import type { TerminalJobStatus } from "../../schemas/queue/queue-job.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { ScheduleRun } from "../../schemas/schedules/schedule-run.ts";

/** What the record of an attempt contains of its run. */
type Shown = Pick<ScheduleRun, "status_code" | "input" | "output" | "requirements"> & {
  readonly output_cut?: true;
};

export type RunResult =
  | { readonly end: "succeed" | "pause"; readonly change: Shown }
  | {
      readonly end: "fail";
      readonly change: Shown & { readonly status_code: number; readonly error: string };
    };

/** Characters of an answer that a list shows. A single attempt shows all of it, as long as the run is stored. */
export const SHOWN_CONTENT = 16_000;

/**
 * The outcome of an attempt whose run has ended or paused.
 *
 * @param output  the run; undefined if it has been removed
 * @source docs/interface/schedules.md 5.4
 */
export function outcomeOfRun(
  ended: TerminalJobStatus | "paused",
  output: StoredOutput | undefined,
): RunResult {
  const shown = shownOf(output);
  switch (ended) {
    case "completed":
      return { end: "succeed", change: shown };
    case "paused":
      return {
        end: "pause",
        change: { ...shown, requirements: output?.requirements ?? output?.step_requirements ?? [] },
      };
    case "failed":
      return {
        end: "fail",
        change: {
          ...shown,
          output: null,
          error: errorText(output ?? {}).slice(0, SHOWN_CONTENT),
        },
      };
    case "cancelled":
      return {
        end: "fail",
        change: { ...shown, output: null, error: contentText(output) ?? "the run was cancelled" },
      };
  }
}

function shownOf(output: StoredOutput | undefined): Shown & { readonly status_code: number } {
  const whole = outputOf(output);
  const isLong = whole !== null && JSON.stringify(whole.content).length > SHOWN_CONTENT;
  return {
    status_code: 200,
    input: output ? { input_content: output.input.input_content.slice(0, SHOWN_CONTENT) } : null,
    output: isLong ? { ...whole, content: textOf(whole.content).slice(0, SHOWN_CONTENT) } : whole,
    ...(isLong && { output_cut: true }),
    requirements: null,
  };
}

/** The run's answer as the record shows it; null if it has none. */
export function outputOf(output: StoredOutput | undefined): ScheduleRun["output"] {
  if (output?.content === undefined) return null;
  return { content: output.content, content_type: output.content_type ?? "str" };
}

const textOf = (content: unknown): string =>
  typeof content === "string" ? content : JSON.stringify(content);

const contentText = (output: StoredOutput | undefined): string | undefined =>
  output?.content === undefined ? undefined : textOf(output.content).slice(0, SHOWN_CONTENT);

/** Why a run failed: its `error` beside the part of an answer that had arrived, else its content. */
export const errorText = ({ error, content }: Pick<StoredOutput, "error" | "content">): string =>
  error ?? ((content ?? "") === "" ? "The run failed." : textOf(content));
