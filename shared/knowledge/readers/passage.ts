/** A piece of text and its origin. */
export type Passage = {
  readonly text: string;
  /** Page, row, heading, …: shown with search results. */
  readonly about: Readonly<Record<string, unknown>>;
};
