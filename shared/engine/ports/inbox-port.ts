import type { InputMedia } from "../../schemas/runs/media.ts";

/** What a person says to a run that has begun. */
export type SteeredMessage = {
  readonly message_id: string;
  readonly content: string;
  readonly media: InputMedia;
};

/** Who looks for messages, where it is not the run itself. */
export type Reader = {
  /** A step of a workflow: it takes what is for it, and what names no step. */
  readonly step_id?: string | undefined;
  /** A member's run: it takes what is for it alone. */
  readonly member_run_id?: string;
};

/** The messages to a run. Each is given to one of the runs within it, once in an execution. */
export type Inbox = {
  /** Messages that were not taken, oldest first. */
  readonly take: (reader?: Reader) => Promise<readonly SteeredMessage[]>;
  /** Notes that a guard has refused a message. */
  readonly refuse: (message: SteeredMessage) => Promise<void>;
};
