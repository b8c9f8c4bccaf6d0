import * as v from "valibot";

/** What the judge of a component has found of a run, by online evaluation. */
const runVerdicts = ["passed", "not_passed"] as const;
export type RunVerdict = (typeof runVerdicts)[number];

export const RunVerdictText = v.optional(v.picklist(runVerdicts));
