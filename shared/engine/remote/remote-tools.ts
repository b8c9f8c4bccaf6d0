import * as v from "valibot";
import { ownMember } from "../../schemas/values/json-values.ts";
import { defineTool, type Tool } from "../tool/tool.ts";

/** Stands in a run for what a remote agent asks: the run pauses until a person has filled in the answer. */
export const ANSWER_TOOL = "answer_remote_agent";
/** Stands in a run for the doubt whether a message has arrived: the run pauses until a person decides. */
export const AGAIN_TOOL = "send_message_again";

const answerTool = defineTool({
  name: ANSWER_TOOL,
  description: "Answer what the remote agent asks.",
  parameters: v.object({ question: v.string(), answer: v.string() }),
  effect: "safe",
  user_input_fields: ["answer"],
  execute: ({ answer }) => answer,
});

const againTool = defineTool({
  name: AGAIN_TOOL,
  description: "Send a message to the remote agent again that may have arrived before.",
  parameters: v.object({ reason: v.string() }),
  effect: "safe",
  requires_confirmation: true,
  execute: () => "The message is sent again.",
});

/** What a run of a remote agent can ask a person. No model is shown these. */
export const remoteTools: readonly Tool[] = [answerTool, againTool];

/** What of a conversation goes into the record, to go on from when a person has answered. */
export type RemoteMark = {
  readonly message_id: string;
  readonly context_id: string;
  readonly task_id?: string;
  /** See `RemoteTask`. */
  readonly answered: number;
  /** Tokens that the task had used by then. */
  readonly input_tokens: number;
  readonly output_tokens: number;
};

/** @param options  of a part of `provider_data` */
export function markIn(options: Readonly<Record<string, unknown>> | undefined): RemoteMark | undefined {
  const mark = options && ownMember(options, "a2a");
  return mark as RemoteMark | undefined; // only `remoteStep` writes it
}
