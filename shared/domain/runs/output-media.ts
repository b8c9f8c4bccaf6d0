import type { Media, MediaKind, OutputMedia } from "../../schemas/runs/media.ts";
import type { Message, RunOutput } from "../../schemas/runs/run.ts";
import type { UnindexedEvent } from "../../schemas/runs/run-event.ts";
import type { StepOutput, StepRequirement } from "../../schemas/runs/workflow-run.ts";

/** A value with media; steps have null for kinds without media. */
type Carrier = { readonly [Kind in keyof OutputMedia]?: readonly Media[] | null | undefined };

/** Output media without undefined members. */
export type JoinedMedia = { [Kind in keyof OutputMedia]?: Media[] };

/**
 * The media of one or several values, each once. Kinds without media are absent.
 */
export function outputMedia(...carriers: readonly Carrier[]): JoinedMedia {
  const of = (kind: keyof OutputMedia) => once(carriers.flatMap((carrier) => carrier[kind] ?? []));
  const [images, videos, audio, files] = [of("images"), of("videos"), of("audio"), of("files")];
  return {
    ...(images.length > 0 && { images }),
    ...(videos.length > 0 && { videos }),
    ...(audio.length > 0 && { audio }),
    ...(files.length > 0 && { files }),
  };
}

const once = (media: readonly Media[]): Media[] => [...new Map(media.map((one) => [one.id, one])).values()];

/** Media one by one, in the order in which they are sent to people. @source docs/interface/chat.md 3.1 */
export function listMedia({ images, videos, files, audio }: Carrier): (readonly [MediaKind, Media])[] {
  const of = (kind: MediaKind, media: readonly Media[] | null = []) =>
    (media ?? []).map((medium) => [kind, medium] as const);
  return [...of("images", images), ...of("videos", videos), ...of("files", files), ...of("audios", audio)];
}

/** The media that tools, members and the model have made in a run, by its messages. */
export const madeIn = (messages: readonly Message[]): JoinedMedia =>
  outputMedia(
    ...messages.filter(
      ({ role, from_history }) => !from_history && (role === "tool" || role === "assistant"),
    ),
  );

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

type MediaParts = { readonly [Kind in (typeof kinds)[number]]?: readonly Media[] | null | undefined };
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

function mapParts<Value extends MediaParts & Steps & Runs>(value: Value, change: MapMedia): Value {
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
function mapKinds<Value extends MediaParts>(value: Value, change: MapMedia): Value {
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
