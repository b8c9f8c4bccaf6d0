import type { ChatInbound, ChatMedium, ChatWork } from "../schemas/runs/chat-message.ts";
import type { MediaKind } from "../schemas/runs/media.ts";
import type { ToolExecution } from "../schemas/runs/run.ts";
import type { ChatFeedback, ChatTexts } from "../settings/values/chats.ts";

/** A platform's answer to a message that was sent. */
export type Sent =
  | { readonly sent: true; readonly id: string }
  | {
      readonly sent: false;
      /** Whether a retry may succeed. */
      readonly retry: "never" | { readonly after_seconds: number };
      /** The platform's own code, for the log. */
      readonly code: string;
      /** No message can reach this person: the bot is blocked, or the window has closed. */
      readonly unreachable?: true;
      /** Our token is not accepted: users get no answer until an operator changes it. */
      readonly token_refused?: true;
    };

/** A file of an answer: its bytes or its address. */
export type OutMedium = {
  readonly kind: MediaKind;
  readonly mime_type: string;
  readonly filename?: string | undefined;
  /** Description for the reader. */
  readonly caption?: string | undefined;
} & ({ readonly bytes: Uint8Array } | { readonly url: string });

/** The answer of a run. `text` is Markdown. */
export type ChatAnswer = {
  readonly text: string;
  readonly reasoning?: string | undefined;
  readonly media: readonly OutMedium[];
  /** Tool calls of the run and of nested runs: some of them prepare a message to send. */
  readonly calls: readonly ToolExecution[];
};

/** One message to send. The answer alone determines its parts, so a retry makes the same ones. */
export type ChatPart =
  | {
      readonly kind: "text";
      readonly text: string;
      /** Set where an answer ends: the run that buttons below it are for. */
      readonly judged?: string;
    }
  | { readonly kind: "medium"; readonly medium: OutMedium }
  /** A message that the run itself has prepared, in the platform's own format. */
  | { readonly kind: "prepared"; readonly message: Readonly<Record<string, unknown>> }
  /** With two buttons. */
  | {
      readonly kind: "question";
      readonly text: string;
      readonly run_id: string;
      readonly tag: string;
      readonly labels: { readonly yes: string; readonly no: string };
    };

/** The message that is answered. */
export type Addressed = Pick<ChatInbound, "message_id" | "target">;

export type Fetched =
  | { readonly fetched: true; readonly bytes: Uint8Array; readonly mime_type: string | undefined }
  | { readonly fetched: false; readonly why: "too_large" | "failed" };

/** Shows an answer while it streams. */
export type LiveAnswer = {
  /** @param status lines about the current steps */
  readonly show: (text: string, status: readonly string[]) => Promise<void>;
};

export type ButtonPress = Extract<ChatWork, { kind: "decision" }>;

/** A chat platform, as the worker uses it. Implement this for a further one. */
export type ChatPort = {
  readonly texts: ChatTexts;
  /** The component that answers: `agents/<id>`. */
  readonly component: string;
  readonly mediaMaxMb: number;
  /** By what people judge its answers. */
  readonly feedback: ChatFeedback;
  /** How often the typing indicator has to be renewed. */
  readonly typingEveryMs: number;
  /** Older messages are not answered; seconds. */
  readonly maxAgeSeconds: number | undefined;
  readonly showTyping: (message: Addressed) => Promise<void>;
  readonly partsOf: (answer: ChatAnswer, message: Addressed) => ChatPart[];
  /** @param place position of the part, and the number of parts */
  readonly send: (
    message: Addressed & { readonly live_id?: string | undefined },
    part: ChatPart,
    place: { readonly index: number; readonly of: number },
  ) => Promise<Sent>;
  readonly fetchMedium: (medium: ChatMedium) => Promise<Fetched>;
  /** The work of a message that is meant for us, without the bot's name; undefined where it is not, `later` while the platform does not say. */
  readonly admit: (inbound: ChatInbound) => Promise<ChatWork | undefined | "later">;
  /** Acknowledges a pressed button to the platform, and replies to another user that the question is not theirs. */
  readonly acknowledgeButton?: (
    message: Addressed,
    press: ButtonPress,
    effect: "applied" | "over" | "not_theirs",
  ) => Promise<void>;
  /** Acknowledges a button for feedback to the platform, where it waits for that. */
  readonly acknowledgeFeedback?: (callbackId: string, isRecorded: boolean) => Promise<void>;
  /** Set where an answer can be shown while it streams. @param onSent called with the id of the message that shows it */
  readonly live?: (
    message: Addressed & { readonly live_id?: string | undefined },
    onSent: (liveId: string) => Promise<void>,
  ) => LiveAnswer;
  /** Further facts about the person for the run's dependencies. */
  readonly dependenciesOf?: (message: Addressed) => Record<string, unknown> | undefined;
};
