import type { Row } from "../figures.ts";

/** Whether a promise is kept: undefined when it is, or what is missing. */
export type Look = () => Promise<string | undefined>;

/** What was accepted, by its kind, and how to see that it was done. */
export type Ledger = {
  readonly promise: (kind: string, look: Look) => void;
  /** Something was done that ought to have been done once. */
  readonly twice: (what: string) => void;
  /** Looks again at what was not done yet. @returns what is still missing */
  readonly unaccounted: () => Promise<readonly string[]>;
  readonly rows: () => Row[];
};

/** Promises that are looked at side by side. */
const AT_A_TIME = 8;

export function newLedger(): Ledger {
  const accepted = new Map<string, number>();
  const repeated: string[] = [];
  let open: { readonly kind: string; readonly look: Look }[] = [];
  return {
    promise(kind, look) {
      accepted.set(kind, (accepted.get(kind) ?? 0) + 1);
      open.push({ kind, look });
    },
    twice: (what) => void repeated.push(what),
    async unaccounted() {
      const missing: string[] = [];
      const left: typeof open = [];
      for (let from = 0; from < open.length; from += AT_A_TIME) {
        const looked = open
          .slice(from, from + AT_A_TIME)
          .map(async (one) => ({ one, what: await one.look() }));
        for (const { one, what } of await Promise.all(looked)) {
          if (what === undefined) continue;
          left.push(one);
          missing.push(`${one.kind}: ${what}`);
        }
      }
      open = left;
      return missing;
    },
    rows: () => [
      ...[...accepted].map(([kind, count]) => ({ what: `accepted: ${kind}`, figure: String(count) })),
      {
        what: "done twice",
        figure: repeated.length === 0 ? "0" : `${repeated.length}: ${repeated[0]}`,
        goal: "0",
      },
    ],
  };
}
