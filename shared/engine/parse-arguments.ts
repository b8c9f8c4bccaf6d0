/**
 * Reads the arguments of a tool call as the model wrote them.
 *
 * @param text JSON; nothing at all stands for no arguments, which some services send
 * @returns undefined when the text is not a JSON object
 */
export function parseArguments(text: string): Record<string, unknown> | undefined {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);
