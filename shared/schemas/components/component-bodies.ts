import * as v from "valibot";
import { describedAs, meaning } from "../values/described-as.ts";
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
  latest_version: meaning(
    v.optional(v.nullable(version)),
    "The highest number of a version that is expected",
  ),
  current_version: meaning(v.optional(v.nullable(version)), "The live version that is expected"),
});
export type Guard = v.InferOutput<typeof Guard>;

/** A link as it is sent. */
export const GivenLink = v.object({
  link_kind: meaning(ComponentLink.entries.link_kind, "What the child is in the parent"),
  link_key: meaning(ComponentLink.entries.link_key, "Name of the link, unique within its version"),
  child_component_id: meaning(KeyText, "Id of the child"),
  child_version: meaning(v.pipe(v.number(), v.integer(), v.minValue(1)), "Version of the child"),
  position: meaning(v.nullish(v.pipe(v.number(), v.integer())), "Place among the links"),
  meta: meaning(v.nullish(ComponentLink.entries.meta.wrapped), "Values that are stored with it"),
});

/** The same as `componentIdProblem` says. */
const COMPONENT_ID = { type: "string", pattern: "^[^\\s\\p{Cc}/\\\\?#%:*]+$" };
/** Validated later, because the fault of one is answered 400. */
const links = v.nullish(v.array(v.pipe(jsonObject(), v.metadata({ describedBy: GivenLink }))));
const stage = v.nullish(describedAs(v.string(), { type: "string", enum: [...configStages] }));

/** An unknown stage is answered 400, so it is checked later. */
const firstVersion = {
  component_id: meaning(
    v.nullish(describedAs(v.string(), COMPONENT_ID)),
    "Id of the component; made of its name without it",
  ),
  name: meaning(v.string(), "What the component is called"),
  description: meaning(text, "What the component is for"),
  metadata: meaning(v.nullish(jsonObject()), "Values that are stored with it"),
  config: meaning(v.nullish(jsonObject()), "What the component is: instructions, tools, members or steps"),
  label: meaning(label, "A name of the version, unique within its component"),
  notes: meaning(notes, "What changed in the version"),
  stage: meaning(stage, "Whether it is a draft or published"),
  links: meaning(links, "The components that it uses, with their versions"),
};

export const CreateRunnableBody = v.object(firstVersion);
export type CreateRunnableBody = v.InferOutput<typeof CreateRunnableBody>;

export const CreateComponentBody = v.object({
  ...firstVersion,
  component_type: meaning(ComponentType, "What kind of component it is"),
});
export type CreateComponentBody = v.InferOutput<typeof CreateComponentBody>;

export const UpdateComponentBody = v.object({
  name: meaning(text, "What the component is called"),
  description: meaning(text, "What the component is for"),
  metadata: meaning(v.nullish(jsonObject()), "Values that are stored with it"),
  current_version: meaning(v.nullish(version), "The published version that becomes the live one"),
  /** Checked later: any type but the component's own answers 400, not 422. */
  component_type: meaning(
    v.nullish(describedAs(v.string(), { type: "string", enum: [...componentTypes] })),
    "The kind that it is; it never changes",
  ),
  guard: meaning(v.nullish(Guard), "What is expected; otherwise the change is refused"),
});
export type UpdateComponentBody = v.InferOutput<typeof UpdateComponentBody>;

export const CreateConfigVersionBody = v.object({
  config: meaning(jsonObject(), "What the component is: instructions, tools, members or steps"),
  stage: meaning(stage, "Whether it is a draft or published"),
  label: meaning(label, "A name of the version, unique within its component"),
  notes: meaning(notes, "What changed in the version"),
  links: meaning(links, "The components that it uses, with their versions"),
  guard: meaning(v.nullish(Guard), "What is expected; otherwise the change is refused"),
});
export type CreateConfigVersionBody = v.InferOutput<typeof CreateConfigVersionBody>;

export const UpdateConfigVersionBody = v.object({
  config: meaning(v.nullish(jsonObject()), "What the component is: instructions, tools, members or steps"),
  stage: meaning(stage, "Whether it is a draft or published"),
  label: meaning(label, "A name of the version, unique within its component"),
  notes: meaning(notes, "What changed in the version"),
  links: meaning(links, "The components that it uses, with their versions"),
  guard: meaning(v.nullish(Guard), "What is expected; otherwise the change is refused"),
});
export type UpdateConfigVersionBody = v.InferOutput<typeof UpdateConfigVersionBody>;

/** An optional body with a guard, for requests that need no body. */
export const GuardBody = v.optional(
  v.object({ guard: meaning(v.nullish(Guard), "What is expected; otherwise the change is refused") }),
  {},
);
