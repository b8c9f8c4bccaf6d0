import type { ChatPort } from "../../shared/chat/index.ts";
import type { ChatQueue } from "../../shared/queue/chat-queue.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { Meter } from "../../shared/runtime/metrics/meter.ts";
import type { ChatBusy, ChatPlatformName } from "../../shared/schemas/runs/chat-message.ts";
import type { StoredChatMessage } from "../../shared/stores/chats/index.ts";
import type { Db } from "../../shared/stores/db.ts";
import type { ExportFeedback } from "../../shared/tracing/export-feedback.ts";
import type { CallRuns } from "./call-runs.ts";

export type ChatWorkerDeps = {
  readonly db: Db;
  readonly queue: Pick<ChatQueue, "send">;
  /** The platforms whose interface is on. */
  readonly ports: Readonly<Partial<Record<ChatPlatformName, ChatPort>>>;
  /** What becomes of a message while a run of its sender goes on, where the message does not say. */
  readonly chatBusy: ChatBusy;
  readonly callRuns: CallRuns;
  /** Sends feedback to where the run's spans are; absent where nothing is exported. */
  readonly exportFeedback?: ExportFeedback | undefined;
  readonly newWorkerId: () => string;
  readonly clock: Clock;
  /** Absent in tests that look at no figures. */
  readonly meter?: Meter;
  readonly log: Log;
};

/** A message that this worker has leased. */
export type LeasedMessage = {
  readonly deps: ChatWorkerDeps;
  readonly port: ChatPort;
  /** As it was written last. */
  message: StoredChatMessage;
  readonly worker: string;
  /** When this process has to end; epoch milliseconds. */
  readonly until: number;
  /** Aborts when another worker has the message. */
  readonly signal: AbortSignal;
};

/** What is left to do with a message: nothing now, or to handle it again. */
export type Handled =
  | "done"
  | {
      readonly again_after_seconds: number;
      /** Set where the lease is given back already, and this execution is not to be counted as a failed one. */
      readonly released?: true;
    };

/** Says in the log why a message gets no answer; nothing of the message itself. */
export const logUnanswered = ({ deps, message }: LeasedMessage, why: string): void =>
  deps.log.info("a message of a chat is not answered", { platform: message.target.platform, why });
