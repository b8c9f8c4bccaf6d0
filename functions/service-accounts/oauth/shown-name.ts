const MAX_CHARACTERS = 60;

/** What a client calls itself, as a user is shown it: one line, without characters that turn or hide others. */
export function shownName(name: string | undefined): string | undefined {
  const plain = name?.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "").trim();
  return plain ? plain.slice(0, MAX_CHARACTERS) : undefined;
}
