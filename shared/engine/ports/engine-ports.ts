import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Message } from "../../schemas/runs/run.ts";
import type { RunEvent } from "../../schemas/runs/run-event.ts";
import type { ObjectPointer } from "../../schemas/values/object-pointer.ts";
import type { LoadObject } from "../../stores/objects/show-media.ts";
import type { Models } from "../model/models.ts";
import type { DailyBudget } from "./budget-port.ts";
import type { SearchKnowledge } from "./knowledge-port.ts";
import type { OpenLearnings } from "./learning-book.ts";
import type { MemoryBook } from "./memory-book.ts";
import type { ToolLedger } from "./tool-ledger.ts";
import type { TraceSpan } from "./trace-span.ts";

/** What the engine needs from outside. */
export type EnginePorts = {
  readonly models: Models;
  readonly clock: Clock;
  /** An id for something that the run makes, such as a run within it; sorts after those made before. */
  readonly newId: () => string;
  /** Fetches what a message refers to, for the model. */
  readonly loadObject?: LoadObject;
  /** Keeps a file that the run makes, for as long as its session; absent where nothing outlives the process. */
  readonly saveObject?: (bytes: Uint8Array) => Promise<ObjectPointer>;
  /** Receives every event in its order. Must not fail; recording is the receiver's business. */
  readonly emit: (event: RunEvent) => void;
  /** Abort with a `RunStopped` reason stops the run at its next await. */
  readonly signal: AbortSignal;
  /** Called before every step; may abort `signal`, where a process that stood still has no right to go on. */
  readonly beforeStep?: () => void;
  /** What somebody who runs the platform should see in its log. */
  readonly warn?: Log["warn"];
  /** Absent where no user's spending is limited by the day. */
  readonly dailyBudget?: DailyBudget;
  /** Messages of earlier runs of the session, oldest first. @param runs how many runs to go back */
  readonly readChatHistory?: (runs: number) => Promise<readonly Message[]>;
  /** The same of a team's member: what it was asked and answered in its own earlier runs of the session. */
  readonly readMemberHistory?: (member_id: string, runs: number) => Promise<readonly Message[]>;
  /** Looks something up in a knowledge base. */
  readonly searchKnowledge?: SearchKnowledge;
  /** What is remembered of the user; absent where nothing outlives the process. */
  readonly memories?: MemoryBook;
  readonly learnings?: OpenLearnings;
  /** Remembers tool calls that must not happen twice; absent where nothing outlives the process. */
  readonly ledger?: ToolLedger;
  /** What the spans of this execution are children of; absent where nothing is traced. */
  readonly span?: TraceSpan;
};
