import { isoTime } from "../../shared/domain/iso-time.ts";
import { beginningOf } from "../../shared/domain/runs/beginning-of.ts";
import { errorOf } from "../../shared/domain/runs/outcome-of-run.ts";
import type { ListedRun } from "../../shared/schemas/runs/run-list.ts";
import type { RunSummary } from "../../shared/stores/runs/listing/run-summary.ts";

const PREVIEW_CHARS = 200;

/** A run as the list over all sessions shows it. */
export function listedRun({ owner, updated_at, output, ...run }: RunSummary): ListedRun {
  const { input, content, metrics = {}, total_metrics, model, model_provider, created_at } = output;
  // A record of an earlier release has its own alone.
  const { duration, input_tokens, output_tokens, total_tokens, cost } = total_metrics ?? metrics;
  const isError = run.status === "ERROR";
  const said = beginningOf(isError ? errorOf(output) : content, PREVIEW_CHARS);
  return {
    ...run,
    ...(owner !== null && { user_id: owner }),
    created_at: isoTime(created_at),
    ...(updated_at !== undefined && { updated_at: isoTime(updated_at) }),
    duration,
    input_tokens,
    output_tokens,
    total_tokens,
    cost,
    model,
    model_provider,
    input_preview: beginningOf(input.input_content, PREVIEW_CHARS) ?? "",
    ...(said !== undefined && { [isError ? "error" : "content_preview"]: said }),
  };
}
