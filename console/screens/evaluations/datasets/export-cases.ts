import { platform } from "../../../api/platform.ts";
import { countOf, countText } from "../../../parts/amounts.ts";
import { saveFile } from "../../../parts/save-file.ts";
import type { Dataset } from "./use-datasets.ts";

export const exportFormats = [
  { id: "jsonl", text: "JSONL, a case a line" },
  { id: "openai", text: "For OpenAI's evaluations" },
  { id: "sft", text: "For training: questions and answers alone" },
] as const;

/** Saves the cases of a version as a file. @returns what was saved, for people */
export async function exportCases(
  { id, name }: Dataset,
  version: number,
  format: (typeof exportFormats)[number]["id"],
): Promise<string> {
  const [lines, { cases }] = await Promise.all([
    platform.exportDataset({ path: { dataset_id: id }, query: { version, format } }),
    platform.listDatasetCases({ path: { dataset_id: id }, query: { version, limit: 1 } }),
  ]);
  saveFile(
    `${name.replaceAll(/[^\p{L}\p{N}]+/gu, "-")}-${version}-${format}.jsonl`,
    "application/x-ndjson",
    lines,
  );
  const count = lines.split("\n").length - 1;
  const left = cases - count;
  const why = format === "sft" ? "erased, of runs that called tools, or without an answer" : "erased";
  return `${countOf(count, "case")} exported${left > 0 ? `; ${countText(left)} left out (${why})` : ""}.`;
}
