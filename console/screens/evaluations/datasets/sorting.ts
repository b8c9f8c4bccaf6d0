/** What a case is for; empty for nothing. */
export type Split = "" | "train" | "test";

export const splitChoices = [
  { id: "", text: "No split" },
  { id: "train", text: "Train" },
  { id: "test", text: "Test" },
];

/** Tags that a case may have. */
export const MOST_TAGS = 20;

/** The words of a field, separated by commas, without those that stand there twice. */
export const wordsIn = (text: string): string[] => partsOf(text, ",");

/** The lines of a field, without those that stand there twice. */
export const linesIn = (text: string): string[] => partsOf(text, "\n");

const partsOf = (text: string, separator: string): string[] => [
  ...new Set(
    text
      .split(separator)
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  ),
];
