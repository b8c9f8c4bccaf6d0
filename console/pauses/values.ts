/** What a text means as a value of a type, or why it is none. Without either nothing was entered. */
export type Entered = { readonly value?: unknown; readonly problem?: string };

const parsers: Readonly<Record<string, (text: string) => Entered>> = {
  str: (text) => ({ value: text }),
  int: (text) =>
    /^\s*-?\d+\s*$/.test(text) ? { value: Number(text) } : { problem: "Enter a whole number." },
  float: (text) => {
    const value = Number(text);
    return Number.isFinite(value) ? { value } : { problem: "Enter a number." };
  },
  bool: (text) => ({ value: text === "true" }),
  list: (text) => json(text, Array.isArray, "Enter a list as JSON, such as [1, 2]."),
  dict: (text) => json(text, isObject, 'Enter an object as JSON, such as {"a": 1}.'),
};

/**
 * @param type      of the wire: str, int, float, bool, list or dict; any other takes JSON, or else the text
 * @param required  whether nothing entered is a problem
 */
export function enteredValue(type: string, text: string, required: boolean): Entered {
  if (text.trim() === "") return required ? { problem: "This field is required." } : {};
  return parsers[type]?.(text) ?? anything(text);
}

/** A text with which a field of a type shows a value. */
export const textOf = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function json(text: string, fits: (value: unknown) => boolean, problem: string): Entered {
  try {
    const value: unknown = JSON.parse(text);
    return fits(value) ? { value } : { problem };
  } catch {
    return { problem };
  }
}

function anything(text: string): Entered {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { value: text };
  }
}
