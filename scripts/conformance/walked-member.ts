/** What was seen of one public member of one client. */
export type WalkedMember = {
  readonly part: string;
  readonly method: string;
  readonly calls: number;
  readonly failures: readonly string[];
  /** Why it is not called. */
  readonly skipped?: string;
};
