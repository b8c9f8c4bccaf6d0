import { existsSync, readFileSync } from "node:fs";

/**
 * The lines of a text that may still be appended to. What comes after the last line break is left out: it may
 * be half a line.
 */
export const completeLines = (text: string): string[] => text.split("\n").slice(0, -1);

/** The complete lines of a file; none while there is no file. */
export const readCompleteLines = (file: string): string[] =>
  existsSync(file) ? completeLines(readFileSync(file, "utf8")) : [];
