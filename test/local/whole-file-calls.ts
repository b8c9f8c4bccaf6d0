import { readFileSync, statSync } from "node:fs";
import { threadId } from "node:worker_threads";
import { createFileOnce, replaceFile } from "../../local/machine/whole-file.ts";

/** Called from several threads at once by the tests of files that are written as a whole. */

/** Large enough that it takes a while to write. */
const TEXT_CHARS = 1_000_000;
const ownText = (): string => String(threadId % 10).repeat(TEXT_CHARS);

/** Names the thread whose text the file holds. @throws when it does not hold all of it */
function writerOf(file: string): string {
  const text = readFileSync(file, "utf8");
  const writer = text.slice(0, 1);
  if (text !== writer.repeat(TEXT_CHARS))
    throw new Error(`it holds ${text.length} characters of several texts`);
  return writer;
}

export function create(file: string): string {
  return createFileOnce(file, ownText(), 0o600) ? `created ${ownText()[0]}` : read(file);
}

export async function replace(file: string): Promise<string> {
  await replaceFile(file, ownText());
  return read(file);
}

/** The first that can be read of it. */
export function read(file: string): string {
  while (!statSync(file, { throwIfNoEntry: false }));
  return `found ${writerOf(file)}`;
}
