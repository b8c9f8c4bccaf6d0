export type TurnCall = {
  readonly id: string;
  readonly name: string;
  /** As the model writes them: JSON, unless the test wants it otherwise. */
  readonly arguments: string;
};

/** Why an answer ends, in words that all protocols share. */
export type TurnEnd = "stop" | "calls" | "length" | "content_filter" | "refusal";

/** Token counts as a service reports them; a hostile one reports what cannot be, or what is no number. */
export type TurnUsage = {
  readonly input: number | string;
  readonly output: number | string;
  /** Of a service that counts them apart from `input`. */
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
};

/** One answer of a model, in words that all protocols share. */
export type Turn = {
  /** The text, delta by delta. */
  readonly text?: readonly string[];
  /** What the model says when it refuses; a service that has a place of its own for it puts it there. */
  readonly refusal?: string;
  readonly reasoning?: { readonly text: readonly string[]; readonly proof: string };
  readonly calls?: readonly TurnCall[];
  /** By the content when absent. */
  readonly end?: TurnEnd;
  /** Absent: 11 and 7. */
  readonly usage?: TurnUsage | "none";
};

/** How a request fails; absent parts go well. What counts deltas counts those of text, reasoning and arguments. */
export type Failure =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The request is longer than the model's window. */
  | { readonly kind: "too_long" }
  /** The connection is reset. */
  | { readonly kind: "reset"; readonly when: "before_headers" | "after_headers" }
  /** The connection breaks within the answer. */
  | { readonly kind: "cut"; readonly after_deltas: number }
  /** The answer stops in an orderly way of the connection, before its end. */
  | { readonly kind: "ends_early"; readonly after_deltas: number }
  /** Nothing more comes, and the connection stays open; without `after_deltas` not even headers come. */
  | { readonly kind: "silence"; readonly after_deltas?: number }
  /** Milliseconds between two deltas. */
  | { readonly kind: "slow"; readonly ms: number }
  /** A frame that cannot be read. */
  | { readonly kind: "bad_frame"; readonly after_deltas: number }
  /** The service says within its stream that it fails; such as `response.failed`. */
  | {
      readonly kind: "fails";
      readonly after_deltas: number;
      readonly code: "server_error" | "overloaded";
      readonly message: string;
    };

/** A streamed answer of a real service, byte for byte. */
export type RecordedBody = { readonly contentType: string; readonly bytes: Buffer };

/** What a service does with one request. */
export type Reply = Turn & {
  readonly fails?: Failure;
  /** Whether its text goes on where the request's own beginning of it ends; otherwise it is sent as a whole. */
  readonly goesOn?: true;
  /** Sent in place of the turn. */
  readonly recorded?: RecordedBody;
};

export const endOf = ({ end, calls = [], refusal }: Turn): TurnEnd =>
  end ?? (calls.length > 0 ? "calls" : refusal === undefined ? "stop" : "refusal");

/** Both counts together, as most services report them too; of texts, a text. */
export const totalOf = ({ input, output }: TurnUsage): number | string =>
  typeof input === "number" && typeof output === "number" ? input + output : `${input}${output}`;

export const usageOf = ({ usage = { input: 11, output: 7 } }: Turn): TurnUsage | undefined =>
  usage === "none" ? undefined : usage;
