/** Where values are kept that no item may hold. Keys are content addresses, so a value is never written over. */
export type ObjectStore = {
  /** @param sha256 of the bytes, in hexadecimal; the store refuses bytes that arrive damaged */
  readonly put: (key: string, bytes: Uint8Array, sha256: string) => Promise<void>;
  /** Undefined when there is no such object. */
  readonly get: (key: string) => Promise<Uint8Array | undefined>;
  /** Removes every object whose key starts so. Again is harmless. */
  readonly removeAll: (prefix: string) => Promise<void>;
};
