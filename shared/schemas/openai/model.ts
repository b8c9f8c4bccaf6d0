import * as v from "valibot";

/** A component, as OpenAI's clients list models. */
export const OpenaiModel = v.object({
  /** `agent:<id>`, `team:<id>` or `workflow:<id>`. */
  id: v.string(),
  object: v.literal("model"),
  /** Always 0: a component has no such time that all kinds of it share. */
  created: v.number(),
  /** The id of this service. */
  owned_by: v.string(),
});
export type OpenaiModel = v.InferOutput<typeof OpenaiModel>;

export const OpenaiModels = v.object({ object: v.literal("list"), data: v.array(OpenaiModel) });

/** How OpenAI's interface says that something was refused. */
export const OpenaiError = v.object({
  error: v.object({
    message: v.string(),
    type: v.string(),
    /** The member of the request that it is about. */
    param: v.nullable(v.string()),
    code: v.nullable(v.string()),
  }),
});
export type OpenaiError = v.InferOutput<typeof OpenaiError>;
