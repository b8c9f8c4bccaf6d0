/**
 * Reads metadata that a user typed.
 *
 * @returns the object; undefined for nothing; a sentence that says what is wrong
 */
export function metadataOf(text: string): Readonly<Record<string, unknown>> | undefined | string {
  if (text.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>;
    }
    return 'Metadata is a JSON object, such as {"line": "pumps"}.';
  } catch {
    return 'This is not JSON. Metadata is an object, such as {"line": "pumps"}.';
  }
}

export const metadataText = (metadata: Readonly<Record<string, unknown>> | null): string =>
  metadata === null ? "" : JSON.stringify(metadata, null, 2);
