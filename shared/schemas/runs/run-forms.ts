import * as v from "valibot";
import { lenientKnowledgeFilters } from "../knowledge/knowledge-filter.ts";
import { optionalSessionId } from "../sessions/session-id.ts";
import { sessionPolicies } from "../sessions/session-policy.ts";
import { booleanText, integerText, optionalText, requiredText } from "../values/fields.ts";
import { OptionalKeyText } from "../values/key-text.ts";
import { storableObjectText } from "../values/storable-text.ts";
import { uploadedFiles } from "../values/uploaded-file.ts";
import { filesMetadataText, mediaListText } from "./media-fields.ts";
import { RequirementAnswer } from "./requirement-answer.ts";
import { StepAnswer } from "./step-answer.ts";
import { ToolAnswer } from "./tool-answer.ts";

/** Longest Idempotency-Key; it is part of a key. */
export const MAX_IDEMPOTENCY_KEY_CHARS = 512;

/**
 * Form of a run. Fields that are not named here are accepted and passed to the run as text.
 *
 * @source contract, runs-and-queue 3.2
 */
export const CreateRunForm = v.objectWithRest(
  {
    message: requiredText(),
    stream: v.optional(booleanText(), "true"),
    background: v.optional(booleanText(), "false"),
    session_id: optionalSessionId(),
    session_policy: v.optional(v.picklist(sessionPolicies)),
    user_id: OptionalKeyText,
    version: v.optional(integerText()),
    factory_input: optionalText(),
    session_state: storableObjectText(),
    dependencies: storableObjectText(),
    metadata: storableObjectText(),
    output_schema: storableObjectText(),
    use_json_schema: optionalText(),
    knowledge_filters: lenientKnowledgeFilters(),
    files: uploadedFiles(),
    files_metadata: filesMetadataText(),
    images: mediaListText(),
    audio: mediaListText(),
    videos: mediaListText(),
    input_files: mediaListText(),
    stream_events: v.optional(booleanText(), "true"),
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

/**
 * Form of a continuation. Errors in the texts that are not typed here answer 400, so they are parsed later.
 *
 * @source contract, runs-and-queue section 7
 */
export const ContinueRunForm = v.objectWithRest(
  {
    /** Answers: an agent's as `tools`, a team's as `requirements`, a workflow's as `step_requirements`. */
    tools: jsonText(v.array(ToolAnswer)),
    requirements: jsonText(v.array(RequirementAnswer)),
    step_requirements: jsonText(v.array(StepAnswer)),
    session_id: optionalSessionId(),
    user_id: optionalText(),
    stream: v.optional(booleanText(), "true"),
    background: v.optional(booleanText(), "false"),
    stream_events: v.optional(booleanText(), "true"),
    input: optionalText(),
    continue_from: optionalText(),
    fork: v.optional(booleanText(), "false"),
    regenerate: v.optional(booleanText(), "false"),
    replace_original: v.optional(booleanText()),
    additional_instructions: optionalText(),
  },
  v.unknown(),
);
export type ContinueRunForm = v.InferOutput<typeof ContinueRunForm>;

/** Form of a client that resumes a stream after its connection broke off. @source contract, runs-and-queue section 9 */
export const ResumeRunForm = v.objectWithRest(
  { last_event_index: v.optional(integerText()), session_id: optionalSessionId() },
  v.unknown(),
);
