/** Failures that have the same cause, as far as their texts show it. */
export type Cause = {
  /** The text without what differs from failure to failure. */
  readonly text: string;
  readonly count: number;
  /** A part of the text that all of them have. */
  readonly part: string;
};

type Failed = { readonly error?: string | undefined };

/** What failures have in common, the most frequent first: ids, numbers and quoted texts make no other cause. */
export function causesOf(runs: readonly Failed[]): readonly Cause[] {
  const causes = new Map<string, Cause>();
  for (const { error = "no error is recorded" } of runs) {
    const line = error.split("\n")[0]?.slice(0, 120) ?? "";
    const text = line
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "…")
      .replace(/"[^"]*"|“[^”]*”/g, "“…”")
      // A status such as 503 is a cause of its own.
      .replace(/\d{4,}|\d+\.\d+/g, "…");
    const before = causes.get(text);
    causes.set(text, { text, count: (before?.count ?? 0) + 1, part: partOf(text) });
  }
  return [...causes.values()].sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
}

/** The longest piece that is the same in all of them. */
const partOf = (text: string): string =>
  text
    .split(/“…”|…/)
    .map((piece) => piece.trim())
    .sort((a, b) => b.length - a.length)[0] ?? "";
