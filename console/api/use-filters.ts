import { useCallback, useMemo } from "react";
import { useSearchParams } from "wouter";

/**
 * Filters of a screen that live in its address, so that what is seen can be sent to others.
 *
 * @param names  of the filters; each is a text, empty where it is not set
 */
export function useFilters<Name extends string>(
  names: readonly Name[],
): readonly [Readonly<Record<Name, string>>, (changes: Partial<Record<Name, string>>) => void, () => void] {
  const [search, setSearch] = useSearchParams();
  const text = search.toString();
  const values = useMemo(() => {
    const given = new URLSearchParams(text);
    return Object.fromEntries(names.map((name) => [name, given.get(name) ?? ""])) as Record<Name, string>;
  }, [text, names]);
  const change = useCallback(
    (changes: Partial<Record<Name, string>>) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries<string | undefined>(changes)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        { replace: true },
      ),
    [setSearch],
  );
  const clear = useCallback(() => setSearch(new URLSearchParams(), { replace: true }), [setSearch]);
  return [values, change, clear];
}

/** Spans of time that lists are filtered by, in seconds. */
export const spans: Readonly<Record<string, number>> = {
  "1h": 3_600,
  "24h": 86_400,
  "7d": 604_800,
  "30d": 2_592_000,
};

export const spanChoices = [
  { id: "", text: "Any time" },
  { id: "1h", text: "Last hour" },
  { id: "24h", text: "Last day" },
  { id: "7d", text: "Last week" },
  { id: "30d", text: "Last 30 days" },
];

/** The earliest time of a span, in seconds since the epoch; whole minutes, so that a list stays the same list. */
export const sinceOf = (span: string): number | undefined => {
  const length = spans[span];
  return length === undefined ? undefined : Math.floor(Date.now() / 60_000) * 60 - length;
};
