import { madeIn } from "../../domain/runs/output-media.ts";
import type { OutputMedia } from "../../schemas/runs/media.ts";
import type { Message } from "../../schemas/runs/run.ts";
import type { GivenMedium } from "../model/given-medium.ts";
import type { Execution } from "../run/execution.ts";
import { saveMedia } from "./save-media.ts";

/**
 * Saves the files of a model's answer. If they cannot be saved, the answer is used without them: it is paid for, and
 * its text is there.
 */
export async function saveModelFiles(
  files: readonly GivenMedium[],
  messages: readonly Message[],
  { ports, model }: Pick<Execution, "ports" | "model">,
): Promise<OutputMedia> {
  try {
    return await saveMedia(files, madeIn(messages), ports);
  } catch (error) {
    ports.warn?.("files of a model's answer could not be saved", { model: model.id, error: String(error) });
    return {};
  }
}
