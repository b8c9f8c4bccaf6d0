import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { maxChars } from "../values/max-chars.ts";
import { storableObject } from "../values/storable-object.ts";
import { Approval } from "./approval.ts";
import { RunStatus } from "./run.ts";

/** @source docs/interface/approvals.md 2.3 */
export const ResolveApprovalBody = v.object({
  status: meaning(v.picklist(["approved", "rejected"]), "The decision"),
  resolved_by: meaning(v.nullish(v.pipe(v.string(), maxChars(255))), "Who decided, for the record"),
  resolution_data: meaning(v.nullish(storableObject()), "Notes and values that go with the decision"),
  edited_args: meaning(
    v.nullish(v.record(v.string(), storableObject())),
    "Arguments to execute instead of the proposed ones, by the id of the call; of a run within the run `<run_id>/<id>`",
  ),
  continue: meaning(
    v.nullish(v.boolean()),
    "Have the run go on in the background, in the name of the one who asked for it",
  ),
});
export type ResolveApprovalBody = v.InferOutput<typeof ResolveApprovalBody>;

/** Where the run of a resolved approval stands, and how to follow it. */
export const ContinuedRun = v.object({
  status: RunStatus,
  job_id: meaning(v.nullable(v.string()), "Id of its queue job; null while it has none"),
  waits_for: meaning(
    v.pipe(v.number(), v.integer(), v.minValue(0)),
    "How many of its questions are still open; it goes on once there are none",
  ),
});
export type ContinuedRun = v.InferOutput<typeof ContinuedRun>;

/** The approval; with `continue` also its run. */
export const ResolvedApproval = v.object({ ...Approval.entries, run: v.optional(ContinuedRun) });
export type ResolvedApproval = v.InferOutput<typeof ResolvedApproval>;
