import { ContentFault } from "../content-fault.ts";
import type { ReadPart } from "./reader.ts";
import { decodedText } from "./text-encoding.ts";

/** JSON: each element of a list by itself, anything else as a whole, formatted so that words are separated. */
export async function readJson(bytes: Uint8Array): Promise<ReadPart[]> {
  const value = parsed(await decodedText(bytes));
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  return parts.map((part, i) => ({
    text: typeof part === "string" ? part : JSON.stringify(part, null, 1),
    about: Array.isArray(value) ? { item: i + 1 } : {},
  }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ContentFault(`The file is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
