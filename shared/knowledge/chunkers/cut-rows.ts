import type { Cut } from "./chunker.ts";

/** One chunk for each line that is not blank. */
export const cutRows: Cut = ({ text, about }) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line, i) => ({ text: line, about: { ...about, row_number: i + 1 } }));
