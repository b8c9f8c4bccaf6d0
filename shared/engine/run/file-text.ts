import { isUtf8 } from "node:buffer";

/**
 * The text of a user's file as a model and the guards read it, in whatever encoding it is: by its byte order mark, UTF-8 where it
 * is valid, else as the frequency of its characters suggests. The readers are loaded for what is not plain UTF-8.
 */
export async function fileText(bytes: Uint8Array): Promise<string> {
  if (isUtf8(bytes) && !bytes.includes(0)) return new TextDecoder().decode(bytes);
  const { decodedText } = await import("../../knowledge/reading.ts");
  return decodedText(bytes);
}
