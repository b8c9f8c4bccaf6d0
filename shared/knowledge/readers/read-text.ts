import { decodedText, type Passage } from "./passage.ts";

/** Plain text, as it is. */
export const readText = async (bytes: Uint8Array): Promise<Passage[]> => [
  { text: decodedText(bytes), about: {} },
];
