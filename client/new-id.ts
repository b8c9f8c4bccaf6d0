/** A random id. `crypto.randomUUID` is missing on pages that were not loaded over https. */
export const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
