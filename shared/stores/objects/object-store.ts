/**
 * Stores values that are too large for an item. Keys are content addresses, so a value is never overwritten; a copy of
 * what a client uploaded is the exception, and only its worker writes it.
 */
export type ObjectStore = {
  /** @param sha256 of the bytes, in hexadecimal; the store refuses bytes that arrive damaged */
  readonly put: (key: string, bytes: Uint8Array, sha256: string) => Promise<void>;
  /** Undefined when there is no such object. */
  readonly get: (key: string) => Promise<Uint8Array | undefined>;
  /** Some bytes of an object, fewer at its end; undefined when there is no such object, or it ends before. */
  readonly getRange: (key: string, from: number, bytes: number) => Promise<Uint8Array | undefined>;
  /** Copies an object within the store. @returns its bytes; undefined when there is no such object */
  readonly copy: (from: string, to: string) => Promise<number | undefined>;
  /**
   * An address that gives an object to whoever has it, for an hour at least. Made without a request; the same for a
   * quarter of an hour, so that browsers load an object once.
   *
   * @param mimeType  type under which it is given
   */
  readonly sign: (key: string, mimeType: string) => Promise<string>;
  /** Removes every object with a prefix; all of them where it is empty. Idempotent. */
  readonly removeAll: (prefix: string) => Promise<void>;
};
