import * as v from "valibot";

/**
 * Why an answer ended before the model had ended it: the limit of its output, or a filter of the service or a refusal of the
 * model. Absent for an answer that the model ended itself, also with tool calls.
 */
export const FinishReason = v.picklist(["length", "content-filter"]);
export type FinishReason = v.InferOutput<typeof FinishReason>;
