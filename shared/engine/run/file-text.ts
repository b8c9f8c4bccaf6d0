/**
 * The text of a user's file as a model and the guards read it, in whatever encoding it is: by its byte order mark, UTF-8 where it
 * is valid, else as the frequency of its characters suggests. The readers are loaded for what is not plain UTF-8.
 */
export async function fileText(bytes: Uint8Array): Promise<string> {
  const text = bytes.includes(0) ? undefined : plainText(bytes);
  if (text !== undefined) return text;
  const { decodedText } = await import("../../knowledge/reading.ts");
  return decodedText(bytes);
}

function plainText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
