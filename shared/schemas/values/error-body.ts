import * as v from "valibot";

/** One thing that is wrong with a config: where it is, what to do about it, and the code of the error that it would be. */
export const ConfigFault = v.object({ path: v.string(), message: v.string(), error_code: v.string() });

/** @source docs/interface/platform.md 2.1 */
export const ErrorBody = v.object({
  detail: v.string(),
  error_code: v.optional(v.nullable(v.string())),
  /** Everything that is wrong with a config that is refused. */
  faults: v.optional(v.array(ConfigFault)),
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

/** For routes whose handler answers 422 too: the input is valid, but the request cannot be done. */
export const UnprocessableBody = v.union([ValidationErrorBody, ErrorBody]);
