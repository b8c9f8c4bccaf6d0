const DERIVED_NAME_CHARS = 200;

/** What a session is called until somebody names it. @param input of its first run */
export const derivedName = (input: string): string => input.slice(0, DERIVED_NAME_CHARS);
