import { ContentFault } from "../content-fault.ts";
import type { SourceReader } from "./source.ts";

const PAGE = 1_000;

/**
 * Keys of the files below a prefix, at any depth.
 *
 * @throws ContentFault when there are more than `max`
 */
export async function keysBelow({ pages }: SourceReader, prefix: string, max: number): Promise<string[]> {
  const keys: string[] = [];
  for await (const { files } of pages({ prefix, limit: PAGE, delimiter: "" })) {
    keys.push(...files.map(({ key }) => key));
    if (keys.length > max) throw new ContentFault(`The folder holds more than ${max} files.`);
  }
  return keys;
}
