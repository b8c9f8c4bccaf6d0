import type { Learning } from "../../schemas/memories/learning.ts";
import type { LearningIdentity } from "../../schemas/memories/learning-identity.ts";
import type { Author } from "./author.ts";

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
