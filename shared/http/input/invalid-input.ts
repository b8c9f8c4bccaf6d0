/** One item of a 422 body. */
export type ValidationError = {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
};

/** Thrown only in this folder; answered with 422. */
export class InvalidInput extends Error {
  override readonly name = "InvalidInput";
  readonly errors: readonly ValidationError[];

  constructor(errors: readonly ValidationError[]) {
    super("invalid input");
    this.errors = errors;
  }
}
