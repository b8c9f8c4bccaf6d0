import { existsSync, watch } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { anyReadableLine } from "../../../local/logs/readable-line.ts";
import { dataDir, type Place, reaching } from "../connect.ts";
import { logLines } from "../run-log.ts";
import { UsageError } from "../usage-error.ts";

type LogOptions = Place & { readonly lines: string; readonly follow?: true; readonly json?: true };

/** Prints the lines of one run, or the last lines of all functions on this machine, and with `follow` those to come. */
export async function printLogs(run: string | undefined, options: LogOptions): Promise<void> {
  const { url, lines, follow, json = false } = options;
  const count = Number(lines);
  if (!Number.isInteger(count) || count < 1) {
    throw new UsageError(`--lines is "${lines}"; it must be a whole number above 0.`);
  }
  if (run === undefined) {
    if (url !== undefined) throw new UsageError("Of a deployment the log of one run is shown: name its id.");
    return printFile(count, { follow: follow === true, json });
  }
  if (follow) throw new UsageError("--follow shows the lines of all runs: leave the id out.");
  for (const line of await reaching(options, (client) => logLines(client, run)))
    console.log(
      json ? JSON.stringify(line) : (anyReadableLine(JSON.stringify(flat(line)), line.function) ?? ""),
    );
}

type Line = Awaited<ReturnType<typeof logLines>>[number];

/** A line of the interface as the function wrote it. */
const flat = ({ time, fields, ...line }: Line) => ({ ...line, timestamp: time, ...fields });

type Shown = { readonly follow: boolean; readonly json: boolean };

async function printFile(count: number, { follow, json }: Shown): Promise<void> {
  const file = join(dataDir(), "functions.log");
  if (!existsSync(file)) {
    throw new UsageError(
      `There is no ${file}: nothing has run in this folder yet. npx agent-platform dev starts it.`,
    );
  }
  const text = await readFile(file, "utf8");
  const shown = text
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => lineOf(line, json) ?? []);
  for (const line of shown.slice(-count)) console.log(line);
  if (follow) await followFile(file, Buffer.byteLength(text), json);
}

/** `RunsStream {…}`: the label of the function, and what it wrote. */
function lineOf(line: string, json: boolean): string | undefined {
  const [, label = "", written = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
  return json ? line : anyReadableLine(written, label);
}

/** Prints what is added to a file, until the process is stopped. */
async function followFile(file: string, from: number, json: boolean): Promise<never> {
  await using handle = await open(file);
  let at = from;
  let rest = "";
  for (;;) {
    const changed = Promise.withResolvers<void>();
    const watcher = watch(file, () => changed.resolve());
    for (let more = await readFrom(handle, at); more.length > 0; more = await readFrom(handle, at)) {
      at += more.length;
      const lines = (rest + more.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const shown = lineOf(line, json);
        if (shown !== undefined) console.log(shown);
      }
    }
    await changed.promise;
    watcher.close();
  }
}

const CHUNK_BYTES = 65_536;

async function readFrom(handle: Awaited<ReturnType<typeof open>>, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position);
  return buffer.subarray(0, bytesRead);
}
