import type { Learning } from "../../schemas/memories/learning.ts";
import type { LearningIdentity } from "../../schemas/memories/learning-identity.ts";
import type { Author } from "./author.ts";

export type Content = Readonly<Record<string, unknown>>;

/** What a learning is about, besides its user. */
export type Subject = Omit<LearningIdentity, "user_id">;

/** What was learned of a run's user, as the engine uses it. Everything in it belongs to that user. */
export type LearningBook = {
  /** The last changed first. @param most how many at most */
  readonly recall: (most: number) => Promise<readonly Learning[]>;
  /**
   * Makes the one record of a subject, or changes it. Changes of others meanwhile are never lost.
   *
   * @param revise  the content out of the one before; may be asked again
   * @throws        Error when the record belongs to somebody else
   */
  readonly revise: (subject: Subject, revise: (before: Content | undefined) => Content) => Promise<void>;
  /** Keeps a record under an id of its own; once, however often it is tried. */
  readonly add: (learning_id: string, subject: Subject, content: Content) => Promise<void>;
  /** ISO 8601, as contents write it. */
  readonly now: () => string;
};

/** The book, as one agent or team writes in it. */
export type OpenLearnings = (writer: Author) => LearningBook;
