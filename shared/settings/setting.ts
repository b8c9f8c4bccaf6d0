import * as v from "valibot";
import type { Form } from "./forms.ts";

/** A default that depends on the stage: `local` is that of `npm start`; `development` is on `dev` too. */
export type StageDefaults = {
  readonly otherwise: string;
  readonly development?: string;
  readonly local?: string;
};

/**
 * A row of the table of settings. Its key is the name of the context value and of the config's member, the comment above it
 * the guide's sentence, which editors show too.
 */
export type Setting = {
  readonly form: Form;
  /** Environment variable of the functions that read it and of `npm start`; absent where templates alone depend on it. */
  readonly variable?: string;
  /** `npm start` has no variable for it: what it names is at AWS, or made here. */
  readonly local?: false;
  readonly default?: string | StageDefaults;
  /** What follows from other settings, by their variables, where it is not given. */
  readonly derived?: (of: Readonly<Record<string, string>>) => number;
  /** What a function takes where its variable is not set, if that is no deployment's default. */
  readonly unset?: string;
  /** A function does not start without the variable. */
  readonly required?: true;
};

export type Settings = Readonly<Record<string, Setting>>;

/** The default on a stage; undefined where there is none. */
export function defaultOn({ default: all }: Setting, stage: string): string | undefined {
  if (typeof all !== "object") return all;
  const development = stage === "local" || stage === "dev" ? all.development : undefined;
  return (stage === "local" ? all.local : undefined) ?? development ?? all.otherwise;
}

/** The variable of a setting. */
export type VariableOf<S> = S extends { readonly variable: infer Name extends string } ? Name : never;

type SchemaOf<S extends Setting> = S["form"]["schema"];
type EntryOf<S extends Setting> = S extends { readonly required: true }
  ? SchemaOf<S>
  : S extends { readonly unset: string } | { readonly default: string | StageDefaults }
    ? v.OptionalSchema<SchemaOf<S>, v.InferInput<SchemaOf<S>>>
    : v.OptionalSchema<SchemaOf<S>, undefined>;
type Entries<All extends Settings, Name extends keyof All> = {
  [N in Name as VariableOf<All[N]>]: EntryOf<All[N]>;
};

/** Entries of the schema of a function's environment, for the settings that it reads. */
export function variablesOf<All extends Settings, const Name extends keyof All & string>(
  all: All,
  ...names: Name[]
): Entries<All, Name> {
  const entries = names.map((name) => {
    const { variable = name, form, required, unset, default: otherwise }: Setting = all[name] as All[Name];
    const fallback = unset ?? (typeof otherwise === "object" ? otherwise.otherwise : otherwise);
    return [variable, required ? form.schema : v.optional(form.schema, fallback)];
  });
  // One entry for each name; the type of Object.fromEntries does not keep the names.
  return Object.fromEntries(entries) as Entries<All, Name>;
}
