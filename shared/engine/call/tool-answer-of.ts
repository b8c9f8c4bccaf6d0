import { madeMedia } from "../media/made-media.ts";
import { saveMedia } from "../media/save-media.ts";
import type { ToolAnswer } from "../ports/tool-ledger.ts";
import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import { isResultWithMedia } from "../tool/result-with-media.ts";

/** A tool's result as the model sees it and the run stores it: text or JSON, with its files. @throws as `saveMedia` */
export async function toolAnswerOf(
  value: unknown,
  state: RunState,
  { ports }: Execution,
): Promise<ToolAnswer> {
  if (!isResultWithMedia(value)) return { text: resultText(value), failed: false };
  const { text, media } = value;
  return { text, failed: false, media: await saveMedia(media, madeMedia(state), ports) };
}

const resultText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
