import type { CallOptions } from "./client-options.ts";
import type { FollowOptions } from "./follow-run.ts";
import type { Content, Operations, SendAgentMessageResponse } from "./operations.ts";
import type { Accepted, ComponentAddress, OutputOf, RunAddress } from "./run-address.ts";
import type { EventOf, StreamedBy } from "./run-event.ts";
import type { UploadOptions } from "./upload-content.ts";
import type { WaitOptions } from "./wait-for-run.ts";

export type OperationName = keyof Operations;
type InputOf<Name extends OperationName> = Operations[Name]["input"];
type AnswerOf<Name extends OperationName> = Operations[Name]["answer"];

/** An input without required fields may be left out. */
type ArgumentsOf<Name extends OperationName> =
  Record<string, never> extends InputOf<Name>
    ? [input?: InputOf<Name>, options?: CallOptions]
    : [input: InputOf<Name>, options?: CallOptions];

/** Operations that start or continue a run. */
type RunName = {
  [Name in OperationName]: Operations[Name] extends { accepted: unknown } ? Name : never;
}[OperationName];
type Waiting = { readonly body?: { readonly background?: false | undefined } | undefined };
type Background = { readonly body: { readonly background: true } };

/** A run that is waited for is answered whole; one in the background by where it is found. */
type CreateRun<Name extends RunName> = {
  (input: InputOf<Name> & Background, options?: CallOptions): Promise<Accepted>;
  (input: InputOf<Name> & Waiting, options?: CallOptions): Promise<AnswerOf<Name>>;
  /** Where only the value of `background` says which it is: see `isAccepted`. */
  (input: InputOf<Name>, options?: CallOptions): Promise<AnswerOf<Name> | Accepted>;
};

/**
 * With `background: true` a run that was queued is answered by where it is found. One that began in the foreground goes on
 * there, and is answered whole: see `isAccepted`.
 */
type ContinueRun<Name extends RunName> = {
  (input: InputOf<Name> & Waiting, options?: CallOptions): Promise<AnswerOf<Name>>;
  (input: InputOf<Name>, options?: CallOptions): Promise<AnswerOf<Name> | Accepted>;
};

type Method<Name extends OperationName> = Name extends RunName
  ? Name extends `create${string}`
    ? CreateRun<Name>
    : ContinueRun<Name>
  : (...args: ArgumentsOf<Name>) => Promise<AnswerOf<Name>>;

export type StreamingName = {
  [Name in OperationName]: Operations[Name] extends { events: unknown } ? Name : never;
}[OperationName];

type CreateForm = Operations["createAgentRun"]["input"]["body"];

/** A run's form without what `runs.stream` decides itself. */
export type RunForm = Omit<CreateForm, "stream" | "stream_events">;

type Continuing<C extends ComponentAddress> = C extends { readonly workflow_id: string }
  ? "continueWorkflowRun"
  : C extends { readonly team_id: string }
    ? "continueTeamRun"
    : "continueAgentRun";

/** The answers for which a run waits, without what `runs.continue` decides itself, and without what starts another run. */
export type ContinueForm<C extends ComponentAddress> = Omit<
  NonNullable<Operations[Continuing<C>]["input"]["body"]>,
  "stream" | "stream_events" | "session_id" | "fork" | "regenerate" | "replace_original" | "continue_from"
>;

/** What is said, and how. */
export type MessageForm = Omit<NonNullable<Operations["sendAgentMessage"]["input"]["body"]>, "session_id">;

export type Runs = {
  /**
   * Polls a run until it has ended or waits for a person: after 250 ms at first, then at growing intervals of up to 3 s.
   *
   * @param run  where it is found, such as `{ agent_id: "assistant", ...accepted }`
   * @returns the run, whatever its end
   * @throws RunGoesOnError after `timeoutMs`, or when the platform could not be reached ten times in a row; PlatformError
   *         for a refusal
   */
  readonly wait: <Run extends RunAddress>(run: Run, options?: WaitOptions) => Promise<OutputOf<Run>>;
  /**
   * Starts a run and streams its events until it has ended or waits for a person. A connection that breaks is made again,
   * and each event arrives once. Ending the iteration cancels a run in the foreground; see `onLeave`.
   *
   * @param component  such as `{ agent_id: "assistant" }`
   * @throws RunGoesOnError when the platform could not be reached ten times in a row; PlatformError for a refusal; the
   *         error of `fetch` where the connection broke before it was known which run it is: in the foreground, in a
   *         session that the form names. With `background: true` the start can be repeated, and this does not happen.
   */
  readonly stream: <C extends ComponentAddress>(
    component: C,
    form: RunForm,
    options?: CallOptions,
  ) => AsyncGenerator<EventOf<C>, void>;
  /**
   * Continues a run that waits for a person, and streams its events from there on, as `stream` does. Where a connection
   * breaks before the first event, the run shows whether the request has arrived: it is continued once.
   *
   * @throws as `stream`
   */
  readonly continue: <Run extends RunAddress>(
    run: Run,
    form: ContinueForm<Run>,
    options?: CallOptions,
  ) => AsyncGenerator<EventOf<Run>, void>;
  /** The events of a run that was started before. It is never cancelled. */
  readonly follow: <Run extends RunAddress>(
    run: Run,
    options?: FollowOptions,
  ) => AsyncGenerator<EventOf<Run>, void>;
  /**
   * Says something to a run that has begun; it is shown to the model before its next call. Sent again where no answer comes,
   * it is there once.
   *
   * @throws PlatformError for a refusal, such as 409 for a run that has ended where `if_ended` is `reject`
   */
  readonly send: (
    run: RunAddress,
    message: MessageForm,
    options?: CallOptions,
  ) => Promise<SendAgentMessageResponse>;
};

export type Knowledge = {
  /**
   * Adds a file to a knowledge base: a small one in the request, one of more than 4.5 MB by way of the bucket.
   *
   * `onProgress` is called with the bytes all the while in browsers and their workers, for files that go to the bucket; elsewhere
   * at the start and at the end.
   *
   * @returns the content, which is processed from here on: `getContentStatus` shows when it can be found
   * @throws PlatformError when the platform refuses it; UploadError when the bucket does, or cannot be reached
   */
  readonly upload: (file: Blob, options?: UploadOptions) => Promise<Content>;
};

/** One method per operation, named as in the interface description, and what takes several of them. */
export type Client = { readonly [Name in OperationName]: Method<Name> } & {
  readonly runs: Runs;
  readonly knowledge: Knowledge;
  /**
   * Streams the frames of an operation while they happen, over one connection; `runs.stream` makes it again when it
   * breaks. Ending the iteration closes the connection and cancels the run that the operation started, if it has not
   * ended; `onLeave` can leave it.
   *
   * @throws PlatformError for an answer with an error status
   */
  readonly stream: <Name extends StreamingName>(
    name: Name,
    input: InputOf<Name>,
    options?: CallOptions,
  ) => AsyncGenerator<StreamedBy<Name>, void>;
};
