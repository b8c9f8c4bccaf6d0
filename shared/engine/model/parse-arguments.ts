import { isObject } from "../../schemas/values/is-object.ts";
import { parsedJson } from "../../schemas/values/json-text.ts";
import { isStorable } from "../../schemas/values/storable.ts";

/**
 * Reads the arguments of a tool call as the model wrote them.
 *
 * @param text JSON; some services send an empty text when there are no arguments
 * @returns undefined when the text is not a JSON object, or one that the record of the run could not hold
 */
export function parseArguments(text: string): Record<string, unknown> | undefined {
  if (text.trim() === "") return {};
  const value = parsedJson(text);
  return isObject(value) && isStorable(value) ? value : undefined;
}
