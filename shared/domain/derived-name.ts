const DERIVED_NAME_CHARS = 200;

/** The name of a session until a user names it. @param input of its first run */
export const derivedName = (input: string): string => input.slice(0, DERIVED_NAME_CHARS);
