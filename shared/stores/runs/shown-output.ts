import type { RunOutput } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { WorkflowRunOutput } from "../../schemas/runs/workflow-run.ts";
import type { Db } from "../db.ts";
import { showRunMedia } from "../objects/show-run-media.ts";
import { signMadeMedia } from "../objects/sign-media.ts";

/** A run as the wire shows it. */
export type ShownRun = RunOutput & WorkflowRunOutput;

/**
 * The output of a run as clients see it: with the contents and addresses of its media, and for a workflow its input as it was sent.
 *
 * @throws ServiceError when a medium is missing or damaged
 */
export async function shownOutput(db: Db, output: StoredOutput): Promise<ShownRun> {
  const shown = await showRunMedia(db, await signMadeMedia(db, output));
  const { input } = shown;
  const shownInput = output.workflow_name === undefined ? input : input.input_content;
  // Which fields there are depends on the kind of run, which the route knows.
  return { ...shown, input: shownInput } as unknown as ShownRun;
}
