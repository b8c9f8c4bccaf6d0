/** What becomes of a key of a config. Null never asks for anything. */
export type ConfigKey = {
  /**
   *   works     the engine acts on it
   *   ignored   it is stored and changes nothing; whoever writes it is warned
   *   refused   it cannot be stored, because to ignore it could do harm
   */
  readonly status: "works" | "ignored" | "refused";
  /** Of one that works, what to know; of the others, what happens instead. */
  readonly note?: string;
  /** Values that ask for nothing else than what happens anyway; `any` where every value does. */
  readonly plain?: readonly unknown[] | "any";
  /** Values of a key that works which are refused all the same, and why. */
  readonly refuses?: { readonly values: readonly unknown[]; readonly because: string };
};

/** The keys of one kind of object in a config, by name. */
export type ConfigKeys = Readonly<Record<string, ConfigKey>>;

/** @param note  what to know of it */
export const works = (note?: string): ConfigKey => ({ status: "works", ...(note !== undefined && { note }) });

/** @param plain  values that change nothing anyway */
export const ignored = (note: string, plain?: ConfigKey["plain"]): ConfigKey => ({
  status: "ignored",
  note,
  ...(plain && { plain }),
});

export const refused = (note: string, plain?: ConfigKey["plain"]): ConfigKey => ({
  ...ignored(note, plain),
  status: "refused",
});
