import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FILE_TIMES, type FileTime, readFileTimes, tooLong } from "./file-times.ts";
import { machineSlowness } from "./machine-slowness.ts";
import { limitOf } from "./tiers.ts";

const root = join(import.meta.dirname, "../../..");
const vitestProgram = join(root, "node_modules/vitest/vitest.mjs");

/**
 * Called by vitest before the first test file. After the last one it fails the run where a file of the quick tier took
 * longer than one may, also when it runs on its own. `TEST_SHOW_TIMES=1` prints what each file took.
 */
export function setup(): (() => Promise<void>) | undefined {
  if (process.env[FILE_TIMES] !== undefined) return undefined;
  const measurement = newMeasurement();
  process.env[FILE_TIMES] = measurement.file;
  return async () => {
    const times = measurement.end();
    if (process.env.TEST_SHOW_TIMES) show(times);
    const faults: FileTime[] = [];
    for (const time of tooLong(times.map(onItsOwn))) faults.push(...tooLong([await leastOf(time)]));
    if (faults.length > 0) throw new Error(faults.map(sentence).join("\n"));
  };
}

/** An empty file for the times of one run; `end` reads it and removes it. */
function newMeasurement(): { readonly file: string; readonly end: () => FileTime[] } {
  const folder = mkdtempSync(join(tmpdir(), "test-times-"));
  const file = join(folder, "times.jsonl");
  writeFileSync(file, "");
  return {
    file,
    end() {
      const times = readFileTimes(file, root);
      rmSync(folder, { recursive: true, force: true });
      return times;
    },
  };
}

/**
 * What a file takes among others is a third more than alone: four share two processors. Whether it is too much alone is measured
 * where it is by this, since each measurement takes some seconds.
 */
const AMONG_OTHERS = 4 / 3;
const onItsOwn = (time: FileTime): FileTime => ({ ...time, seconds: time.seconds / AMONG_OTHERS });

/** A measurement differs by a third from the next one. */
const MEASUREMENTS = 3;

/** The least that a file takes on its own, measured until one measurement is within its limit. */
async function leastOf(among: FileTime): Promise<FileTime> {
  let least = await measureAlone(among);
  for (let i = 1; i < MEASUREMENTS && tooLong([least]).length > 0; i += 1) {
    const next = await measureAlone(among);
    if (next.seconds < least.seconds) least = next;
  }
  return least;
}

/**
 * What a file takes on its own, in seconds of the machine on which the limits were set: beside others, on a busy machine, a processor
 * does less in a second.
 *
 * @returns  what it took among the others where it does not get to its end now
 */
async function measureAlone(among: FileTime): Promise<FileTime> {
  const { file, end } = newMeasurement();
  const env = { ...process.env, [FILE_TIMES]: file };
  const before = machineSlowness();
  // Not synchronously: meanwhile vitest ends the processes of the tests, and waits for their answers.
  const child = spawn(process.execPath, [vitestProgram, "run", among.path], {
    cwd: root,
    env,
    stdio: "ignore",
  });
  await once(child, "exit");
  const slowness = (before + machineSlowness()) / 2;
  const alone = end().find(({ path }) => path === among.path);
  return alone ? { ...alone, seconds: alone.seconds / slowness } : among;
}

function show(times: readonly FileTime[]): void {
  const sorted = times.toSorted((one, other) => other.seconds - one.seconds);
  for (const { path, seconds } of sorted) console.log(`${seconds.toFixed(2).padStart(7)} s  ${path}`);
  const sum = times.reduce((all, { seconds }) => all + seconds, 0);
  console.log(`${sum.toFixed(0).padStart(7)} s  of processor time in ${times.length} files`);
}

const sentence = ({ path, seconds }: FileTime): string =>
  `${path} takes ${seconds.toFixed(1)} s of processor time on its own, and in the quick tier it may take ` +
  `${limitOf(path)} s: make it cheaper, or move it to test/long/`;
