type Value = string | number | boolean;
type Fault = { readonly fault: string };

/**
 * Reads filters that a user typed: `line = pumps, year = 2024`. A number, `true` and `false` are what they look like;
 * in quotation marks they are text.
 */
export function filtersOf(text: string): Readonly<Record<string, Value>> | Fault {
  const pairs = text
    .split(",")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "")
    .map((pair) => /^([^=]+)=(.*)$/.exec(pair));
  if (pairs.includes(null)) return { fault: "Write name = value, and a comma before the next." };
  return Object.fromEntries(
    pairs.map((pair) => [pair?.[1]?.trim() ?? "", typedValue(pair?.[2]?.trim() ?? "")]),
  );
}

export const isFilterFault = (filters: object): filters is Fault =>
  "fault" in filters && Object.keys(filters).length === 1;

function typedValue(text: string): Value {
  const quoted = /^"(.*)"$/.exec(text);
  if (quoted) return quoted[1] ?? "";
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}
