import * as v from "valibot";
import { optionalSessionId } from "../sessions/session-id.ts";
import { meaning } from "../values/described-as.ts";
import { optionalText, requiredText } from "../values/fields.ts";
import { maxChars } from "../values/max-chars.ts";
import { uploadedFiles } from "../values/uploaded-file.ts";
import { filesMetadataText } from "./media-fields.ts";

/**
 * What became of a message to a run: it waits, the run has it, a guard has refused it, another run has it, or its sender took
 * it back.
 */
export const messageStates = ["unread", "taken", "refused", "moved", "withdrawn"] as const;

/** Longest id of a message that a client may choose. */
export const MAX_MESSAGE_ID_CHARS = 128;

/** Form of a message to a run that has begun. */
export const RunMessageForm = v.object({
  message: meaning(requiredText(), "What is said to the run before its next model call"),
  session_id: meaning(optionalSessionId(), "Id of the run's session"),
  message_id: meaning(
    v.pipe(optionalText(), v.optional(v.pipe(v.string(), maxChars(MAX_MESSAGE_ID_CHARS)))),
    "Id of the message: the same one again changes nothing and is answered the same",
  ),
  step_id: meaning(optionalText(), "Of a workflow: the step that it is for, where several are under way"),
  if_ended: meaning(
    v.optional(v.picklist(["run", "reject"]), "run"),
    "What becomes of it where the run has ended: a run of its own (run), or 409 (reject)",
  ),
  files: meaning(uploadedFiles(), "Pictures, recordings, films and documents"),
  files_metadata: meaning(filesMetadataText(), "One object for each file, in their order"),
});

/** A message that was accepted: for the run, or as a run of its own. */
export const SentMessage = v.object({
  message_id: v.string(),
  run_id: v.string(),
  session_id: v.string(),
  delivery: v.picklist(["steered", "new_run"]),
});
export type SentMessage = v.InferOutput<typeof SentMessage>;

/** A message as its run shows it. */
export const RunMessage = v.object({
  message_id: v.string(),
  content: v.string(),
  state: v.picklist(messageStates),
  step_id: v.optional(v.string()),
  /** The run that it was moved to. */
  moved_to: v.optional(v.string()),
  created_at: v.number(),
});
export type RunMessage = v.InferOutput<typeof RunMessage>;
export const RunMessages = v.object({ messages: v.array(RunMessage) });
