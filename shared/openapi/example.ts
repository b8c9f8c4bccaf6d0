/** A request and its answers, as a test has recorded them; ids and times are made the same each time. */
export type Example = {
  /** Variables of the path. */
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** JSON, or the fields of a form. */
  readonly body?: unknown;
  /** Bodies by status and media type: JSON as it is, everything else as text. None for an answer without one. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

/** By operation. */
export type Examples = Readonly<Record<string, Example>>;
