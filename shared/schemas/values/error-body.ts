import * as v from "valibot";

/** @source interface, "Error bodies" */
export const ErrorBody = v.object({
  detail: v.string(),
  error_code: v.optional(v.nullable(v.string())),
});
export type ErrorBody = v.InferOutput<typeof ErrorBody>;

export const ValidationErrorBody = v.object({
  detail: v.array(
    v.object({
      loc: v.array(v.union([v.string(), v.number()])),
      msg: v.string(),
      type: v.string(),
      input: v.optional(v.unknown()),
      ctx: v.optional(v.record(v.string(), v.unknown())),
    }),
  ),
});
export type ValidationErrorBody = v.InferOutput<typeof ValidationErrorBody>;

/** Where 422 is said by a handler as well: the input is of the right shape, and cannot be done. */
export const UnprocessableBody = v.union([ValidationErrorBody, ErrorBody]);
