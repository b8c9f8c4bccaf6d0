import * as v from "valibot";
import { describedAs } from "../values/described-as.ts";
import { jsonObject } from "../values/fields.ts";
import { KeyText } from "../values/key-text.ts";
import { maxChars } from "../values/max-chars.ts";
import { ComponentType, componentTypes, configStages } from "./component.ts";
import { ComponentLink } from "./component-record.ts";

const text = v.nullish(v.string());
/** A label names its version within the component; it is part of a key. */
const label = v.nullish(v.pipe(v.string(), maxChars(200)));
const notes = v.nullish(v.pipe(v.string(), maxChars(10_000)));
const version = v.pipe(v.number(), v.integer());

/** The state that the caller expects; with another state the change is refused. Null is not checked, 0 stands for "none yet". */
export const Guard = v.object({
  latest_version: v.optional(v.nullable(version)),
  current_version: v.optional(v.nullable(version)),
});
export type Guard = v.InferOutput<typeof Guard>;

/** A link as it is sent. @source contract, components-and-platform A6 */
export const GivenLink = v.object({
  ...ComponentLink.entries,
  child_component_id: KeyText,
  child_version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  position: v.nullish(v.pipe(v.number(), v.integer())),
  meta: v.nullish(ComponentLink.entries.meta.wrapped),
});

/** The same as `componentIdProblem` says. */
const COMPONENT_ID = { type: "string", pattern: "^[^\\s\\p{Cc}/\\\\?#%:*]+$" };
/** Validated later, because the fault of one is answered 400. */
const links = v.nullish(v.array(v.pipe(jsonObject(), v.metadata({ describedBy: GivenLink }))));
const stage = v.nullish(describedAs(v.string(), { type: "string", enum: [...configStages] }));

/** An unknown stage is answered 400, so it is checked later. @source contract, components-and-platform A3 */
const firstVersion = {
  component_id: v.nullish(describedAs(v.string(), COMPONENT_ID)),
  name: v.string(),
  description: text,
  metadata: v.nullish(jsonObject()),
  config: v.nullish(jsonObject()),
  label,
  notes,
  stage,
  links,
};

export const CreateRunnableBody = v.object(firstVersion);
export type CreateRunnableBody = v.InferOutput<typeof CreateRunnableBody>;

export const CreateComponentBody = v.object({ ...firstVersion, component_type: ComponentType });
export type CreateComponentBody = v.InferOutput<typeof CreateComponentBody>;

export const UpdateComponentBody = v.object({
  name: text,
  description: text,
  metadata: v.nullish(jsonObject()),
  current_version: v.nullish(version),
  /** Checked later: any type but the component's own answers 400, not 422. */
  component_type: v.nullish(describedAs(v.string(), { type: "string", enum: [...componentTypes] })),
  guard: v.nullish(Guard),
});
export type UpdateComponentBody = v.InferOutput<typeof UpdateComponentBody>;

export const CreateConfigVersionBody = v.object({
  config: jsonObject(),
  stage,
  label,
  notes,
  links,
  guard: v.nullish(Guard),
});
export type CreateConfigVersionBody = v.InferOutput<typeof CreateConfigVersionBody>;

export const UpdateConfigVersionBody = v.object({
  config: v.nullish(jsonObject()),
  stage,
  label,
  notes,
  links,
  guard: v.nullish(Guard),
});
export type UpdateConfigVersionBody = v.InferOutput<typeof UpdateConfigVersionBody>;

/** An optional body with a guard, for requests that need no body. */
export const GuardBody = v.optional(v.object({ guard: v.nullish(Guard) }), {});
