import type { Execution } from "../execution.ts";
import type { RunState } from "../run-state.ts";
import type { ToolAnswer } from "../tool-ledger.ts";
import { keepMedia } from "./keep-media.ts";
import { madeMedia } from "./made-media.ts";
import { isResultWithMedia } from "./result-with-media.ts";

/** What a tool gave, as it is told and kept: text or JSON, with its files. @throws what `keepMedia` does */
export async function toolAnswerOf(
  value: unknown,
  state: RunState,
  { ports }: Execution,
): Promise<ToolAnswer> {
  if (!isResultWithMedia(value)) return { text: resultText(value), failed: false };
  const { text, media } = value;
  return { text, failed: false, media: await keepMedia(media, madeMedia(state), ports) };
}

const resultText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
