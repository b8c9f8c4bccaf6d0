import * as v from "valibot";
import { callbackFields } from "../deliveries/callback.ts";
import { FeedbackKeysText } from "../feedback/feedback-links.ts";
import { lenientKnowledgeFilters } from "../knowledge/knowledge-filter.ts";
import { optionalSessionId } from "../sessions/session-id.ts";
import { sessionPolicies } from "../sessions/session-policy.ts";
import { describedAs, jsonTextOf, meaning } from "../values/described-as.ts";
import { booleanText, integerText, optionalText, requiredText } from "../values/fields.ts";
import { OptionalKeyText } from "../values/key-text.ts";
import { maxChars } from "../values/max-chars.ts";
import { requiredObjectText, storableObjectText } from "../values/storable-text.ts";
import { uploadedFiles } from "../values/uploaded-file.ts";
import { filesMetadataText, mediaListText } from "./media-fields.ts";
import { RequirementAnswer, StepAnswer, ToolAnswer } from "./pause-answers.ts";

/** @source Step Functions API reference, "SendTaskSuccess": length of a task's token */
const MAX_CHARS = 2_048;

/** Field of the form of a run. */
const taskField = {
  task_token: meaning(
    v.pipe(optionalText(), v.optional(v.pipe(v.string(), maxChars(MAX_CHARS)))),
    "Token of a task of Step Functions that ends with the run; background runs only. No answer shows it",
  ),
} as const;

/** Longest Idempotency-Key; it is part of a key. */
export const MAX_IDEMPOTENCY_KEY_CHARS = 512;

const stream = meaning(
  v.optional(booleanText(), "true"),
  "Waits for the answer, unless it is streamed: events as they happen (true), or the run at its end (false)",
);
const stream_events = meaning(
  v.optional(booleanText(), "true"),
  "Every event (true), or only those that carry the answer (false)",
);
const runsSession = meaning(optionalSessionId(), "Id of the run's session");

/**
 * Form of a run. Fields that are not named here are accepted and passed to the run as text.
 *
 * @source docs/interface/runs.md 3.2
 */
export const CreateRunForm = v.objectWithRest(
  {
    message: meaning(requiredText(), "What is asked; for an agent with an input schema JSON that fits it"),
    stream,
    background: meaning(
      v.optional(booleanText(), "false"),
      "Executed by the queue: it survives crashes, and its client need not wait",
    ),
    session_id: meaning(
      optionalSessionId(),
      "The conversation that the run belongs to; without it the run begins one",
    ),
    session_policy: meaning(
      v.optional(v.picklist(sessionPolicies)),
      "What becomes of it while other runs of its session are live",
    ),
    user_id: meaning(OptionalKeyText, "Whose run it is; admins only, for all others it is the token's"),
    version: meaning(
      v.optional(integerText()),
      "The version of a stored component; the current one without it",
    ),
    draft_config: meaning(
      requiredObjectText(),
      "A config of the stored component that is run without being stored; foreground only, by who may change it",
    ),
    /** Validated in the handler: anything but a JSON object answers 400. */
    factory_input: meaning(
      describedAs(optionalText(), jsonTextOf({ type: "object" })),
      "For components that are built for each request; there are none here, so it is only checked",
    ),
    session_state: meaning(storableObjectText(), "Merged into the state of the session"),
    dependencies: meaning(storableObjectText(), "Values that instructions and tools can read"),
    metadata: meaning(storableObjectText(), "Stored with the run and shown with it"),
    output_schema: meaning(storableObjectText(), "A JSON Schema that the answer must fit"),
    use_json_schema: meaning(optionalText(), "Taken from clients that send it, and without effect"),
    knowledge_filters: meaning(
      lenientKnowledgeFilters(),
      "What of the knowledge base may be searched, by metadata",
    ),
    files: meaning(uploadedFiles(), "Pictures, recordings, films and documents"),
    files_metadata: meaning(filesMetadataText(), "One object for each file, in their order"),
    images: meaning(mediaListText(), "Pictures, each by its address or its content"),
    audio: meaning(mediaListText(), "Recordings, each by its address or its content"),
    videos: meaning(mediaListText(), "Films, each by its address or its content"),
    input_files: meaning(mediaListText(), "Documents, each by its address or its content"),
    ...callbackFields,
    ...taskField,
    feedback_keys: meaning(
      FeedbackKeysText,
      "Keys of feedback, separated by commas: the answer has `feedback` with a link for each, a stream a CustomEvent `feedback_links` before its end",
    ),
    stream_events,
  },
  v.unknown(),
);
export type CreateRunForm = v.InferOutput<typeof CreateRunForm>;

/** JSON that is parsed later. @param holds  what it holds, for the interface description */
const jsonText = (holds: v.GenericSchema) =>
  v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => (text === "" ? undefined : text)),
      v.metadata({ holds }),
    ),
  );

/** Form of a continuation. Errors in the texts that are not typed here answer 400, so they are parsed later. */
export const ContinueRunForm = v.objectWithRest(
  {
    tools: meaning(
      jsonText(v.array(ToolAnswer)),
      "For a paused agent: the calls that the run showed, with the answers",
    ),
    requirements: meaning(
      jsonText(v.array(RequirementAnswer)),
      "For a paused team: what the run asked, with the answers",
    ),
    step_requirements: meaning(
      jsonText(v.array(StepAnswer)),
      "For a paused workflow: what its steps asked, with the answers",
    ),
    session_id: runsSession,
    user_id: meaning(optionalText(), "Whose run it is; admins only, for all others it is the token's"),
    stream,
    background: meaning(
      v.optional(booleanText(), "false"),
      "Continue in the queue; a run that was queued is continued so only",
    ),
    stream_events,
    input: meaning(optionalText(), "What is said next to a run that has ended"),
    continue_from: meaning(
      optionalText(),
      "Where a new run goes on: end, last_user, or continue_from of one of the run's checkpoints",
    ),
    fork: meaning(v.optional(booleanText(), "false"), "Go on as a new run; the old one stays as it is"),
    regenerate: meaning(v.optional(booleanText(), "false"), "Answer the last message once more"),
    replace_original: meaning(
      v.optional(booleanText()),
      "Whether the new answer takes the place of the old one in the session",
    ),
    additional_instructions: meaning(optionalText(), "Added to the instructions for the new answer"),
  },
  v.unknown(),
);
export type ContinueRunForm = v.InferOutput<typeof ContinueRunForm>;

/** Form of a client that resumes a stream after its connection broke off. */
export const ResumeRunForm = v.objectWithRest(
  {
    last_event_index: meaning(
      v.optional(integerText()),
      "event_index of the last event that arrived; all are sent when it is absent",
    ),
    session_id: runsSession,
  },
  v.unknown(),
);
