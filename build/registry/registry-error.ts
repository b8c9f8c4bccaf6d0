/** A registry that cannot be loaded, or is refused as a whole. The message says what is wrong, and where. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  /** Distinguishes it from a fault also where it comes out of another process, which keeps this but not the class. */
  readonly code = "BAD_REGISTRY";
}
