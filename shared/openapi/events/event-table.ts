import * as v from "valibot";

type MemberOf<Body extends { readonly event: string }, Type extends Body["event"]> = Body extends unknown
  ? Type extends Body["event"]
    ? Body
    : never
  : never;

/** The fields of each event of a union, by its type. A missing event or field does not compile. */
export type EventTable<Body extends { readonly event: string }> = {
  readonly [Type in Body["event"]]: v.ObjectSchema<v.ObjectEntries, undefined> &
    v.GenericSchema<unknown, Omit<MemberOf<Body, Type>, "event">>;
};

type Table = Readonly<Record<string, v.ObjectSchema<v.ObjectEntries, undefined>>>;

/**
 * Schemas of a table's events, with the base fields.
 *
 * @param prefix  of the types' names
 */
export const eventsOf = (table: Table, base: v.ObjectEntries, prefix = ""): v.GenericSchema[] =>
  Object.entries(table).map(([type, { entries }]) =>
    v.object({ event: v.literal(`${prefix}${type}`), ...base, ...entries }),
  );
