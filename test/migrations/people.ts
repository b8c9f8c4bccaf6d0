import type { Item } from "../../shared/data/item.ts";
import type { Migration } from "../../shared/migrations/migration.ts";

/*
 * How a field is split into two while the service goes on: first the new fields beside the old one, then, a release
 * later, the old one away. Each release reads what the one before and the one after leave it.
 *
 *   version  1: name          2: name, given, family          3: given, family
 *   release  1 reads ▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔
 *            2 reads ▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔
 */

const isPerson = ({ sk }: Item): boolean => sk === "person";

export const splitNames: Migration = {
  version: 2,
  name: "split-names",
  steps: [
    {
      table: "sessions",
      up: (record) => {
        if (!isPerson(record) || record.given !== undefined) return undefined;
        const [given = "", family = ""] = String(record.name).split(" ");
        return { set: { given, family }, from: ["name"] };
      },
      down: (record) =>
        isPerson(record) && record.given !== undefined ? { remove: ["given", "family"] } : undefined,
    },
    {
      table: "budgets",
      up: (record) => (record.currency === undefined ? { set: { currency: "USD" } } : undefined),
      down: (record) => (record.currency === "USD" ? { remove: ["currency"] } : undefined),
    },
  ],
};

export const dropNames: Migration = {
  version: 3,
  name: "drop-names",
  steps: [
    {
      table: "sessions",
      up: (record) =>
        isPerson(record) && record.name !== undefined
          ? { remove: ["name"], from: ["given", "family"] }
          : undefined,
      down: (record) =>
        isPerson(record) && record.name === undefined
          ? { set: { name: `${record.given} ${record.family}` }, from: ["given", "family"] }
          : undefined,
    },
  ],
};

export const person = (n: number): Item => ({
  pk: `person#${n}`,
  sk: "person",
  name: `Ada${n} Lovelace${n}`,
});
export const day = (n: number): Item => ({ pk: `user#${n}`, sk: "day#2026-11-21", tokens: n });

/** What the first release calls a person; it knows of nothing but the name. */
export const greetingOfRelease1 = ({ name }: Item): string => {
  if (typeof name !== "string") throw new Error("a record that release 1 cannot read");
  return name;
};

/** What the second calls one. */
export const greetingOfRelease2 = ({ name, given, family }: Item): string => {
  if (typeof given === "string" && typeof family === "string") return `${given} ${family}`;
  return greetingOfRelease1({ name });
};
