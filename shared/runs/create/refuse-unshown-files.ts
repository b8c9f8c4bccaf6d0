import { fileTreatment, takesAddress, typeOfMedium } from "../../domain/runs/file-treatment.ts";
import { modelViewOf } from "../../engine/define/remote-agent.ts";
import type { Runnable } from "../../engine/define/runnable.ts";
import type { Models } from "../../engine/model/models.ts";
import { providerOf } from "../../engine/run/files-as-text.ts";
import { ServiceError } from "../../errors.ts";
import { type MediaFields, type ReadMedia, readMedia } from "./run-form.ts";

/** Why a run would be refused for its files; undefined where it would not. */
export function filesRefusal(
  form: MediaFields,
  runnable: Runnable,
  models: Pick<Models, "describe">,
): string | undefined {
  try {
    refuseUnshownFiles(readMedia(form), runnable, models);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}

/**
 * Refuses files that the model of a run could not be shown, before anything is stored: it would answer as if they were not
 * there. The steps of a workflow have models of their own.
 *
 * @throws ServiceError BAD_REQUEST that names the file
 */
export function refuseUnshownFiles(
  media: readonly ReadMedia[],
  runnable: Runnable,
  models: Pick<Models, "describe">,
): void {
  if (runnable.kind === "workflow") return;
  const view = modelViewOf(runnable, models);
  const provider = providerOf(view.provider);
  for (const { kind, described } of media) {
    const [mime_type, format, filename, url] = ["mime_type", "format", "filename", "url"].map((name) =>
      textIn(described[name]),
    );
    const type = typeOfMedium(kind, { mime_type, format });
    const treatment = fileTreatment(provider, type);
    const isUnreachable = url !== undefined && !(treatment === "native" && takesAddress(provider, type));
    if (treatment !== "refused" && !isUnreachable) continue;
    const name = filename ?? url ?? `a file in ${kind}`;
    const how =
      treatment === "refused"
        ? "cannot be shown at all"
        : "can be shown only by its content, not by its address";
    throw new ServiceError(
      "BAD_REQUEST",
      `${name} is of the type ${type}, which the model of this ${runnable.kind} (${view.provider}) ${how}`,
    );
  }
}

const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
