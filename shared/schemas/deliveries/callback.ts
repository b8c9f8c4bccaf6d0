import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { booleanText, fault, optionalText } from "../values/fields.ts";
import { RunEventType, runEventTypes } from "./event-type.ts";
import { ReceiverUrl } from "./receiver-url.ts";

/** Who is notified when one run ends, as its record has it. */
export const Callback = v.object({
  url: ReceiverUrl,
  events: v.array(RunEventType),
  include_content: v.boolean(),
  /** Absent in older records. */
  named_by: v.optional(v.picklist(["request", "component", "instance"])),
});
export type Callback = v.InferOutput<typeof Callback>;

/** The same as the run's record shows it, see `functions/runs/get-component-run.ts`. */
export const ShownCallback = v.object({ url: v.string(), events: v.array(RunEventType) });
export type ShownCallback = v.InferOutput<typeof ShownCallback>;

const isType = (text: string): text is RunEventType => (runEventTypes as readonly string[]).includes(text);

/** Event types in a form: separated by commas, or a JSON array. */
export const EventTypesText = v.pipe(
  v.string(),
  v.rawTransform<string, RunEventType[]>(({ dataset, addIssue, NEVER }) => {
    const names = dataset.value.split(/[\s,"'[\]]+/).filter((name) => name !== "");
    const unknown = names.find((name) => !isType(name));
    if (unknown === undefined) return [...new Set(names.filter(isType))];
    addIssue({ message: fault("enum", `Input should be ${runEventTypes.join(", ")}, and not ${unknown}`) });
    return NEVER;
  }),
  v.metadata({ jsonSchema: { type: "string", example: runEventTypes.slice(0, 2).join(",") } }),
);

/** Fields of the form of a run. */
export const callbackFields = {
  callback_url: meaning(
    v.pipe(optionalText(), v.optional(ReceiverUrl)),
    "Where a signed message is sent when the run ends or pauses; background runs only",
  ),
  callback_events: meaning(
    v.pipe(optionalText(), v.optional(EventTypesText)),
    `Which events are sent, separated by commas; unless given, all: ${runEventTypes.join(", ")}`,
  ),
  callback_content: meaning(
    v.pipe(optionalText(), v.optional(booleanText())),
    "Whether the messages carry the run's content; they do unless it is false",
  ),
} as const;
