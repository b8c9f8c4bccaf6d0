import { ContentFault } from "../content-fault.ts";
import type { SourceReader } from "./source.ts";

const PAGE = 1_000;

/**
 * Keys of the files below a prefix, at any depth.
 *
 * @throws ContentFault when there are more than `most`
 */
export async function keysBelow({ pages }: SourceReader, prefix: string, most: number): Promise<string[]> {
  const keys: string[] = [];
  for await (const { files } of pages({ prefix, limit: PAGE, delimiter: "" })) {
    keys.push(...files.map(({ key }) => key));
    if (keys.length > most) throw new ContentFault(`The folder holds more than ${most} files.`);
  }
  return keys;
}
