/** What was built from a config. */
export type Built<T> = {
  /** Without the parts that its config names and that do not exist. */
  readonly value: T;
  /** Validation errors of the config, with texts for its author; with any of them the value must not run. */
  readonly errors: readonly string[];
};
