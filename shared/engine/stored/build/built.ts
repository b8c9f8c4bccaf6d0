/** What became of a config. */
export type Built<T> = {
  /** Without what its config names in vain. */
  readonly value: T;
  /** What is wrong with the config, in words for whoever wrote it; with any of it the value must not run. */
  readonly faults: readonly string[];
};
