/** One item of a 422 body. */
export type ValidationError = {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
};

/** Raised only in this room; rendered as 422. @source interface, "Error bodies" */
export class InvalidInput extends Error {
  override readonly name = "InvalidInput";
  readonly faults: readonly ValidationError[];

  constructor(faults: readonly ValidationError[]) {
    super("invalid input");
    this.faults = faults;
  }
}
