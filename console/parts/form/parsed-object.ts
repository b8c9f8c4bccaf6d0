/** An object that a user types as JSON: the object, or why it is none. Nothing typed is no object and no problem. */
export function parsedObject(text: string): {
  readonly value?: Readonly<Record<string, unknown>>;
  readonly problem?: string;
} {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return { problem: "This must be a JSON object: { … }" };
    }
    return { value: value as Readonly<Record<string, unknown>> };
  } catch (error) {
    return { problem: `This is not JSON: ${placeOf(error, text)}` };
  }
}

/** The browser's words, with the line in place of a count of characters. */
function placeOf(error: unknown, text: string): string {
  const words = error instanceof Error ? error.message : String(error);
  const position = /at position (\d+)/.exec(words)?.[1];
  if (position === undefined || / \(line \d+/.test(words))
    return words.replace(/ in JSON at position \d+/, "");
  const line = text.slice(0, Number(position)).split("\n").length;
  return words.replace(/ (?:in JSON )?at position \d+/, ` in line ${line}`);
}
