import { ServiceError } from "../../errors.ts";

/** A model call that is about to be made. */
export type AskedCall = {
  /** Specification of the model; the platform's `MODEL` when undefined. */
  readonly spec: string | undefined;
  /** Digest of the key; see `ResolvedModel`. */
  readonly account: string;
  readonly user_id: string | null;
  /** Estimates the tokens of the call; asked only where these are limited. */
  readonly tokens: () => number;
  /** In [0, 1), of this call: where among those that wait for the same instant it starts. */
  readonly share: number;
};

/** What came of a call. */
export type CallResult =
  | { readonly was: "answered"; readonly tokens: number }
  | { readonly was: "unavailable" }
  | { readonly was: "throttled"; readonly after_seconds: number | undefined }
  /** The service has answered, with a fault of another kind. */
  | { readonly was: "refused" };

/** A call that may be made. */
export type AdmittedCall = {
  readonly admitted: true;
  /** Until when the service is not asked to cache; epoch milliseconds. */
  readonly marks_refused_until?: number | undefined;
  /** Called once a part of the answer has arrived. */
  readonly begun: () => void;
  /** Called when the call is over; undefined for one that was aborted. */
  readonly ended: (result: CallResult | undefined) => Promise<void>;
};

/** Why a model is not to be called now, and until when; epoch milliseconds. */
export type ClosedGate = {
  readonly because: "unavailable" | "rate_limit";
  readonly until_ms: number;
};

export type Entered = AdmittedCall | (ClosedGate & { readonly admitted: false });

/** What all workers know of models, so that none calls one which another has seen fail. */
export type ModelGate = {
  /** Reads at most once, and writes nothing for a call of a model that works and has no limits. */
  readonly enter: (call: AskedCall) => Promise<Entered>;
  /** Reads ahead what the first call of a run will ask for, beside what else its start reads. Never fails. */
  readonly prepare: (spec: string | undefined, account: string) => Promise<void>;
  /** Notes that a service refuses to be asked to cache prompts. @param until_ms epoch milliseconds */
  readonly noteRefusedMarks: (spec: string | undefined, until_ms: number) => Promise<void>;
  /** How many tokens a model's service has turned out to take; undefined where it has refused no prompt. Never fails. */
  readonly learnedWindow: (spec: string | undefined, account: string) => Promise<number | undefined>;
  /** Notes how many tokens a model's service takes, because it has refused more. Never fails. */
  readonly noteWindow: (spec: string | undefined, tokens: number) => Promise<void>;
};

/** Stands for the digest of the key of a service that is called without one. */
export const NO_KEY = "none";

/** Where nothing is shared. */
export const freeCall: AdmittedCall = {
  admitted: true,
  begun: () => undefined,
  ended: async () => undefined,
};

/** The refusal of a call whose model is not to be called now: 503 or 429, and when it may be asked again. */
export class ModelClosed extends ServiceError {
  /** @param text  public @param nowMs  epoch milliseconds */
  constructor(text: string, { because, until_ms }: ClosedGate, nowMs: number) {
    const seconds = Math.max(1, Math.ceil((until_ms - nowMs) / 1000));
    const code = because === "unavailable" ? "UNAVAILABLE" : "TOO_MANY_REQUESTS";
    super(code, text, { headers: { "retry-after": String(seconds) } });
  }
}
