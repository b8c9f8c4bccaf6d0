import type { InputMedia } from "../../schemas/runs/media.ts";

/** What a person says to a run that has begun. */
export type SteeredMessage = {
  readonly message_id: string;
  readonly content: string;
  readonly media: InputMedia;
};

/** The messages to a run. Each is given to one of the runs within it, once in an execution. */
export type Inbox = {
  /** Messages that were not taken, oldest first. @param step_id the step of a workflow that asks */
  readonly take: (step_id?: string) => Promise<readonly SteeredMessage[]>;
  /** Notes that a guard has refused a message. */
  readonly refuse: (message: SteeredMessage) => Promise<void>;
};
