import type { StateChanges } from "../../domain/sessions/session-state.ts";
import type { HistoryLimits } from "../../domain/sessions/shown-runs.ts";
import type { ReadFile } from "../../knowledge/index.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { ToolSecrets } from "../../runtime/secrets/tool-secrets.ts";
import type { FilterExpression } from "../../schemas/knowledge/knowledge-filter.ts";
import type { Learning } from "../../schemas/memories/learning.ts";
import type { LearningIdentity } from "../../schemas/memories/learning-identity.ts";
import type { UserMemory } from "../../schemas/memories/memory.ts";
import type { OutputMedia } from "../../schemas/runs/media.ts";
import type { Message } from "../../schemas/runs/run.ts";
import type { RunEvent } from "../../schemas/runs/run-event.ts";
import type { ObjectPointer } from "../../schemas/values/object-pointer.ts";
import type { Reference } from "../../schemas/values/reference.ts";
import type { LoadObject } from "../../stores/objects/show-media.ts";
import type { ModelGate } from "../model/model-gate.ts";
import type { Models } from "../model/models.ts";
import type { DailyBudget } from "./budget-port.ts";
import type { Inbox } from "./inbox-port.ts";
import type { StoredResults } from "./stored-results.ts";
import type { TraceSpan } from "./tracing.ts";

/** A text that a guard of the output has refused. */
export type WithheldText = {
  readonly run_id: string;
  /** The guard. */
  readonly hook: string;
  readonly text: string;
  readonly error_id?: string;
};

/** A run as a conversation shows it. */
export type Exchange = { readonly input: string; readonly content: string };

/** What the engine needs from outside. */
export type EnginePorts = {
  readonly models: Models;
  readonly clock: Clock;
  /** What all workers know of models; each call is made at once where it is absent. */
  readonly modelGate?: ModelGate;
  /** Creates an id for something of the run, such as a run within it; ids sort by creation. */
  readonly newId: () => string;
  /** Loads a file that a message refers to, for the model. */
  readonly loadObject?: LoadObject;
  /** Saves a file that the run makes, for as long as its session exists; absent when nothing is stored. */
  readonly saveObject?: (bytes: Uint8Array) => Promise<ObjectPointer>;
  /** Keeps large results of tools out of prompts; absent when nothing is stored. */
  readonly results?: StoredResults;
  /** Receives every event in order. Must not fail; recording is up to the receiver. */
  readonly emit: (event: RunEvent) => void;
  /** Keeps the events of a run from being stored, from now until their text has been let pass or is to be left out. */
  readonly holdRecord?: (run_id: string) => { readonly release: () => void; readonly withhold: () => void };
  /** Keeps a text that a guard has refused, for admins. */
  readonly keepWithheld?: (kept: WithheldText) => Promise<void>;
  /** Abort with a `RunStopped` reason stops the run at its next await. */
  readonly signal: AbortSignal;
  /** Called before every step; may abort `signal`, when a process that was frozen has lost the run. */
  readonly beforeStep?: () => void;
  /** Logs a warning for the operator. */
  readonly warn?: Log["warn"];
  /** Calls services elsewhere, only where they are public or allowed; absent when nothing elsewhere may be called. */
  readonly callOut?: typeof fetch;
  /** Takes what tools log; absent when it is not read. */
  readonly toolLog?: Log;
  /** What holds for tools that say nothing else. */
  readonly toolLimits?: ToolLimits;
  /** The secrets that tools declare; absent when there are none to read. */
  readonly toolSecrets?: ToolSecrets;
  /** Absent when there is no daily limit per user. */
  readonly dailyBudget?: DailyBudget;
  /** Messages of earlier runs of the session, oldest first. @param runs how many runs to go back */
  /** Reads the text of documents that a model's service does not take. */
  readonly readFile?: ReadFile;
  readonly readChatHistory?: (runs: number) => Promise<readonly Message[]>;
  /** The same for a team's member: messages of its own earlier runs of the session. */
  readonly readMemberHistory?: (
    member: HistoryLimits & { readonly id: string },
  ) => Promise<readonly Message[]>;
  /** What earlier runs of the session were given and answered, oldest first. @param runs how many runs to go back */
  readonly readExchanges?: (runs: number) => Promise<readonly Exchange[]>;
  /** Searches a knowledge base. */
  readonly searchKnowledge?: SearchKnowledge;
  /** The memories of the user; absent when nothing is stored. */
  readonly memories?: MemoryBook;
  readonly learnings?: OpenLearnings;
  /** Records tool calls that must not happen twice; absent when nothing is stored. */
  readonly ledger?: ToolLedger;
  /** What people say to the run after it has begun; absent where that is not possible. */
  readonly inbox?: Inbox;
  /** The parent of this execution's spans; absent when nothing is traced. */
  readonly span?: TraceSpan;
};

export type ToolLimits = {
  /** How many tools one answer runs at once. */
  readonly parallel: number;
  /** After this many seconds a call has failed. */
  readonly timeout_seconds: number;
};

/** The agent or team that wrote a record. */
export type Author = { readonly agent_id: string | null; readonly team_id: string | null };

/** A memory as a model writes it. */
export type MemoryEntry = { readonly memory: string; readonly topics: readonly string[] };

/** The memories of a run's user. */
export type MemoryBook = {
  /** The last changed first. @param most the maximum number */
  readonly list: (most: number) => Promise<readonly UserMemory[]>;
  /**
   * Adds a memory.
   *
   * @param key  unique across all runs: a second add under it changes nothing
   * @param by   the author
   * @returns    the memory under this key
   */
  readonly add: (key: string, entry: MemoryEntry, by: Author) => Promise<UserMemory>;
  /** Replaces text and topics. @returns undefined when the user has no such memory */
  readonly update: (memory_id: string, entry: MemoryEntry) => Promise<UserMemory | undefined>;
};

export type Content = Readonly<Record<string, unknown>>;

/** What a learning is about, in addition to its user. */
export type Subject = Omit<LearningIdentity, "user_id">;

/** Learnings about a run's user. Every record belongs to that user. */
export type LearningBook = {
  /** The last changed first. @param most the maximum number */
  readonly recall: (most: number) => Promise<readonly Learning[]>;
  /**
   * Creates or updates the one record of a subject. Concurrent changes are never lost.
   *
   * @param revise  computes the new content from the previous one; may be called again
   * @throws        Error when the record belongs to another user
   */
  readonly revise: (subject: Subject, revise: (before: Content | undefined) => Content) => Promise<void>;
  /** Adds a record under an id of its own. A retry changes nothing. */
  readonly add: (learning_id: string, subject: Subject, content: Content) => Promise<void>;
  /** ISO 8601, as contents write it. */
  readonly now: () => string;
};

/** Opens the book for one agent or team, as the author of what is written. */
export type OpenLearnings = (author: Author) => LearningBook;

/** A run's search of a knowledge base. */
export type KnowledgeQuestion = {
  /** Name of the base. */
  readonly base: string;
  readonly query: string;
  /** The filter of agent and request. */
  readonly filter: FilterExpression;
  /** Metadata that the model filters by; names that no content has are dropped. */
  readonly chosen: Readonly<Record<string, unknown>>;
  /** The user whose own knowledge is searched beside the shared one. */
  readonly user_id: string | null;
};

/**
 * The documents nearest to a question, best first.
 *
 * @param span    parent of the search's own
 * @throws ServiceError NOT_FOUND where there is no such base
 */
export type SearchKnowledge = (
  question: KnowledgeQuestion,
  span?: TraceSpan,
) => Promise<readonly Reference[]>;

/** A tool's answer as the model sees it, with its files. */
export type ToolAnswer = {
  readonly text: string;
  readonly failed: boolean;
  readonly media?: OutputMedia;
};

/**
 * The ledger's reply when a call is about to start:
 *
 * - `started`  the first start; it is recorded now
 * - `ended`    the call ended before, with this answer and these changes of the session's state
 * - `open`     the call was started `starts` times, and no end is recorded
 */
export type LedgerEntry =
  | { readonly state: "started" }
  | { readonly state: "ended"; readonly answer: ToolAnswer; readonly changes?: StateChanges | undefined }
  | { readonly state: "open"; readonly starts: number };

/**
 * The record of tool calls that must not happen twice, stored beside the run: a call is entered before it starts and
 * completed after it ended, so an entry without an end means that the call may have happened.
 *
 * The key of a call is its id within the run and a digest of what it would do.
 */
export type ToolLedger = {
  /** Enters a first start; of two concurrent ones, one gets `started`. */
  readonly start: (call: string) => Promise<LedgerEntry>;
  /** Enters one more start, which a person confirmed after `starts` of them. */
  readonly startAgain: (call: string, starts: number) => Promise<LedgerEntry>;
  readonly end: (call: string, answer: ToolAnswer, changes?: StateChanges) => Promise<void>;
};
