import type { ReadFile } from "../../knowledge/readers/read-in-process.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { ToolSecrets } from "../../runtime/secrets/tool-secrets.ts";
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

/** A run as a conversation shows it. */
export type Exchange = { readonly input: string; readonly content: string };

/** What the engine needs from outside. */
export type EnginePorts = {
  readonly models: Models;
  readonly clock: Clock;
  /** Creates an id for something of the run, such as a run within it; ids sort by creation. */
  readonly newId: () => string;
  /** Loads a file that a message refers to, for the model. */
  readonly loadObject?: LoadObject;
  /** Saves a file that the run makes, for as long as its session exists; absent when nothing is stored. */
  readonly saveObject?: (bytes: Uint8Array) => Promise<ObjectPointer>;
  /** Receives every event in order. Must not fail; recording is up to the receiver. */
  readonly emit: (event: RunEvent) => void;
  /** Abort with a `RunStopped` reason stops the run at its next await. */
  readonly signal: AbortSignal;
  /** Called before every step; may abort `signal`, when a process that was frozen has lost the run. */
  readonly beforeStep?: () => void;
  /** Logs a warning for the operator. */
  readonly warn?: Log["warn"];
  /** Calls services elsewhere, only where they are public or allowed; absent when nothing elsewhere may be called. */
  readonly callOut?: typeof fetch;
  /** Takes what tools log; absent when nobody reads it. */
  readonly toolLog?: Log;
  /** The secrets that tools declare; absent when there are none to read. */
  readonly toolSecrets?: ToolSecrets;
  /** Absent when there is no daily limit per user. */
  readonly dailyBudget?: DailyBudget;
  /** Messages of earlier runs of the session, oldest first. @param runs how many runs to go back */
  /** Reads the text of documents that a model's service does not take. */
  readonly readFile?: ReadFile;
  readonly readChatHistory?: (runs: number) => Promise<readonly Message[]>;
  /** The same for a team's member: messages of its own earlier runs of the session. */
  readonly readMemberHistory?: (member_id: string, runs: number) => Promise<readonly Message[]>;
  /** What earlier runs of the session were given and answered, oldest first. @param runs how many runs to go back */
  readonly readExchanges?: (runs: number) => Promise<readonly Exchange[]>;
  /** Searches a knowledge base. */
  readonly searchKnowledge?: SearchKnowledge;
  /** The memories of the user; absent when nothing is stored. */
  readonly memories?: MemoryBook;
  readonly learnings?: OpenLearnings;
  /** Records tool calls that must not happen twice; absent when nothing is stored. */
  readonly ledger?: ToolLedger;
  /** The parent of this execution's spans; absent when nothing is traced. */
  readonly span?: TraceSpan;
};
