import { saveFile } from "../../parts/save-file.ts";
import { cellOf } from "./csv-cell.ts";
import { wholeRuns } from "./many-runs.ts";
import type { RunEntry } from "./use-run-list.ts";

/** Saves runs as a file, each with all that is recorded of it on a line of its own. */
export async function exportJsonl(runs: readonly RunEntry[]): Promise<void> {
  const whole = await wholeRuns(runs);
  saveFile("runs.jsonl", "application/jsonl", whole.map((run) => `${JSON.stringify(run)}\n`).join(""));
}

const fields = [
  "run_id",
  "session_id",
  "component_type",
  "component_id",
  "component_version",
  "user_id",
  "status",
  "created_at",
  "updated_at",
  "duration",
  "input_tokens",
  "output_tokens",
  "total_tokens",
  "cost",
  "model",
  "attempt",
  "input_preview",
  "content_preview",
  "error",
] as const satisfies (keyof RunEntry)[];

/** Saves what the list has of runs as a table. */
export function exportCsv(runs: readonly RunEntry[]): void {
  const rows = [fields.join(","), ...runs.map((run) => fields.map((name) => cellOf(run[name])).join(","))];
  saveFile("runs.csv", "text/csv", `${rows.join("\r\n")}\r\n`);
}
