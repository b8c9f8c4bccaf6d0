import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { limitOf } from "./tiers.ts";

/** Environment variable with the file into which the processes of one run write the processor time of each test file. */
export const FILE_TIMES = "TEST_FILE_TIMES";

/** Processor time of a test file, in seconds. */
export type FileTime = { readonly path: string; readonly seconds: number };

/** @param root  the project's folder, from which the paths of the answer go */
export const readFileTimes = (file: string, root: string): FileTime[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): FileTime => JSON.parse(line))
    .map(({ path, seconds }) => ({ path: relative(root, path), seconds }));

/** The files that took longer than their tier lets them. */
export const tooLong = (times: readonly FileTime[]): FileTime[] =>
  times.filter(({ path, seconds }) => seconds > limitOf(path));
