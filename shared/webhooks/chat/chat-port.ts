import type { ChatTexts } from "../../runtime/chat-settings.ts";
import type { ChatInbound, ChatMedium, ChatWork } from "../../schemas/runs/chat-message.ts";
import type { MediaKind } from "../../schemas/runs/media.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";

/** What a platform says to something that is sent. */
export type Sent =
  | { readonly sent: true; readonly id: string }
  | {
      readonly sent: false;
      /** Whether it may get through later. */
      readonly retry: "never" | { readonly after_seconds: number };
      /** The platform's own code, for the log. */
      readonly code: string;
      /** Nothing will ever get through to this person: the bot is blocked, the window has closed. */
      readonly unreachable?: true;
    };

/** A file of an answer: its bytes, or where it is. */
export type OutMedium = {
  readonly kind: MediaKind;
  readonly mime_type: string;
  readonly filename?: string | undefined;
  /** What it stands for, in words. */
  readonly caption?: string | undefined;
} & ({ readonly bytes: Uint8Array } | { readonly url: string });

/** What a run has to say. `text` is Markdown. */
export type ChatAnswer = {
  readonly text: string;
  readonly reasoning?: string | undefined;
  readonly media: readonly OutMedium[];
  /** Calls of the run and of those within it: some have recorded what shall be sent. */
  readonly calls: readonly ToolExecution[];
};

/** One message that is sent. How an answer falls into parts follows from the answer alone, so a retry finds the same. */
export type ChatPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "medium"; readonly medium: OutMedium }
  /** A message that the run itself has put together, in the platform's own terms. */
  | { readonly kind: "prepared"; readonly message: Readonly<Record<string, unknown>> }
  | { readonly kind: "question"; readonly text: string; readonly run_id: string };

/** The message that is answered. */
export type Addressed = Pick<ChatInbound, "message_id" | "target">;

export type Fetched =
  | { readonly fetched: true; readonly bytes: Uint8Array; readonly mime_type: string | undefined }
  | { readonly fetched: false; readonly why: "too_large" | "failed" };

/** Shows an answer while it grows. */
export type LiveAnswer = {
  /** @param status lines that say what is being done */
  readonly show: (text: string, status: readonly string[]) => Promise<void>;
};

/** A chat platform, as the worker uses it. What a third one needs. */
export type ChatPort = {
  readonly texts: ChatTexts;
  /** What answers: `agents/<id>`. */
  readonly component: string;
  readonly mediaMaxMb: number;
  /** How often it has to be said that somebody is typing. */
  readonly typingEveryMs: number;
  /** Nothing is answered that is older; seconds. */
  readonly answersWithin: number | undefined;
  readonly showTyping: (message: Addressed) => Promise<void>;
  readonly partsOf: (answer: ChatAnswer, message: Addressed) => ChatPart[];
  /** @param place which part of how many it is */
  readonly send: (
    message: Addressed & { readonly live_id?: string | undefined },
    part: ChatPart,
    place: { readonly index: number; readonly of: number },
  ) => Promise<Sent>;
  readonly fetchMedium: (medium: ChatMedium) => Promise<Fetched>;
  /** Whether a message is meant for us, and what is left of it; undefined drops it silently. */
  readonly admit: (inbound: ChatInbound) => Promise<ChatWork | undefined>;
  /** Tells the platform that a button was taken. */
  readonly takeButton?: (callbackId: string, text?: string) => Promise<void>;
  /** Set where an answer can be shown while it grows. @param begun is told the id of the message that shows it */
  readonly live?: (
    message: Addressed & { readonly live_id?: string | undefined },
    begun: (liveId: string) => Promise<void>,
  ) => LiveAnswer;
  /** What a run is told of the person besides. */
  readonly dependenciesOf?: (message: Addressed) => Record<string, unknown> | undefined;
};
