/** A value of the configuration is missing or malformed. The message names each, and what it must be. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  /** Distinguishes it from a fault also where it comes out of another thread, which keeps this but not the class. */
  readonly code = "BAD_CONFIG";
}
