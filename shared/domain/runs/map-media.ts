import type { Media } from "../../schemas/runs/media.ts";
import type { Message, RunOutput } from "../../schemas/runs/run.ts";
import type { UnindexedEvent } from "../../schemas/runs/run-event.ts";
import type { StepOutput, StepRequirement } from "../../schemas/runs/workflow-run.ts";

export type MapMedia = (medium: Media) => Media;

/** A medium without its content, as lists show it. */
export const namedMedium: MapMedia = ({ object: _, ...named }) => named;

/**
 * The places of media in a run, and no others: what people and tools write into a run (its input as a workflow shows
 * it, arguments, contents, metadata) may look like a medium, and must not be treated as one.
 */
const kinds = ["images", "videos", "audio", "audios", "files"] as const;
const steps = ["step_results", "iteration_results", "all_results"] as const;
const runs = ["member_responses", "step_executor_runs"] as const;

type Carrier = { readonly [Kind in (typeof kinds)[number]]?: readonly Media[] | null | undefined };
type Steps = { readonly [Place in (typeof steps)[number]]?: readonly StepOutput[] | undefined } & {
  readonly step_requirements?: readonly StepRequirement[] | undefined;
};
type Runs = { readonly [Place in (typeof runs)[number]]?: readonly RunOutput[] | undefined };

/** A run with each of its media changed: those of its input and its output, and those of the runs and steps in it. */
export function mapRunMedia<Run extends RunOutput & Steps & Runs>(run: Run, change: MapMedia): Run {
  const { input, messages } = run;
  return {
    ...mapParts(run, change),
    input: mapKinds(input, change),
    ...(messages && { messages: messages.map((one) => mapMessageMedia(one, change)) }),
  };
}

export const mapMessageMedia = (message: Message, change: MapMedia): Message => mapKinds(message, change);

/** A run with each medium that it has made changed: not those of its input, nor those of its user's messages. */
export function mapMadeMedia<Run extends RunOutput & Steps & Runs>(run: Run, change: MapMedia): Run {
  const made = (message: Message) => (message.role === "user" ? message : mapMessageMedia(message, change));
  const { messages } = run;
  return { ...mapParts(run, change), ...(messages && { messages: messages.map(made) }) };
}

/** An event with each of its media changed. Its `input`, if it has one, is a user's text and stays. */
export const mapEventMedia = <Event extends UnindexedEvent>(event: Event, change: MapMedia): Event => ({
  ...mapParts(event, change),
  ...("step_response" in event && { step_response: mapKinds(event.step_response, change) }),
  ...("step_output" in event && { step_output: mapKinds(event.step_output, change) }),
});

function mapParts<Value extends Carrier & Steps & Runs>(value: Value, change: MapMedia): Value {
  const { step_requirements } = value;
  return {
    ...mapKinds(value, change),
    ...mapLists<(typeof steps)[number], StepOutput>(value, steps, (step) => mapKinds(step, change)),
    ...mapLists<(typeof runs)[number], RunOutput>(value, runs, (run) => mapRunMedia(run, change)),
    ...(step_requirements && {
      step_requirements: step_requirements.map((one) => mapRequirement(one, change)),
    }),
  };
}

const mapRequirement = (requirement: StepRequirement, change: MapMedia): StepRequirement =>
  requirement.step_output
    ? { ...requirement, step_output: mapKinds(requirement.step_output, change) }
    : requirement;

/** The same value if it carries no media. */
function mapKinds<Value extends Carrier>(value: Value, change: MapMedia): Value {
  if (!kinds.some((kind) => value[kind])) return value;
  return { ...value, ...mapLists(value, kinds, change) };
}

/** The lists at these places, changed; a place without one is left out. */
function mapLists<Place extends string, Item>(
  value: { readonly [P in Place]?: readonly Item[] | null | undefined },
  places: readonly Place[],
  change: (item: Item) => Item,
): Record<string, Item[]> {
  return Object.fromEntries(
    places.flatMap((place) => {
      const items = value[place];
      return items ? [[place, items.map(change)] as const] : [];
    }),
  );
}
