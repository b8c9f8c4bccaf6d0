import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { Db } from "../db.ts";
import { sessionObjects } from "../objects/object-prefix.ts";
import { spillFields } from "../objects/spill.ts";
import type { Large } from "../objects/spilled.ts";
import type { RunAddress } from "./run-address.ts";

/** A run's output as it is stored: fields that are too large are taken out of it. */
export type SpilledOutput = { readonly output: StoredOutput; readonly output_large: Large | undefined };

const PREVIEW_CHARS = 1_000;

/**
 * Makes an output fit into its record.
 *
 * @param keeps  large fields of the record that this output lacks because it was read without them; they stay
 */
export async function spillOutput(
  db: Db,
  at: RunAddress,
  output: StoredOutput,
  keeps?: Large,
): Promise<SpilledOutput> {
  const { plain, large } = await spillFields(db, sessionObjects(at.owner, at.session_id), output);
  const output_large = { ...stillValid(output, keeps), ...large };
  if (!large)
    return { output, output_large: Object.keys(output_large).length > 0 ? output_large : undefined };
  // These fields must stay in the record; the input is the only one that can be large.
  const { run_id, session_id, created_at, status } = output;
  return {
    output: { run_id, session_id, created_at, status, input: previewOf(output), ...plain },
    output_large,
  };
}

/** The beginning of the input, so that a record without its large fields still shows what it is about. */
const previewOf = ({ input }: StoredOutput): StoredOutput["input"] => ({
  input_content: input.input_content.slice(0, PREVIEW_CHARS),
});

/** Large fields that the output replaces do not stay. The input always does: the output may have only its preview. */
const stillValid = (output: StoredOutput, keeps: Large = {}): Large =>
  Object.fromEntries(Object.entries(keeps).filter(([name]) => name === "input" || !(name in output)));
