/** Results of tools that are kept out of prompts, for as long as their session. */
export type StoredResults = {
  /** Keeps a result. The same id gets the same text. @returns false where it is too large to be kept, or its session has too much of them */
  readonly put: (result_id: string, text: string) => Promise<boolean>;
  /** @returns undefined where the session has none with this id */
  readonly get: (result_id: string) => Promise<string | undefined>;
};
