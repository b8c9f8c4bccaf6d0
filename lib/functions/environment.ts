import type * as v from "valibot";
import type { EnvOf } from "../../shared/settings/read-env.ts";

type EnvSchema = v.GenericSchema<Record<string, string | undefined>, object> & {
  readonly entries: Readonly<Record<string, unknown>>;
};

/**
 * The environment of a function with this schema: the variables that the schema names, and no others.
 *
 * @param values  must have every variable that the schema requires, or it does not compile
 */
export function environmentFor<S extends EnvSchema>(schema: S, values: EnvOf<S>): Record<string, string> {
  const declared = Object.entries<string | undefined>(values).filter(([name]) => name in schema.entries);
  return Object.fromEntries(
    declared.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}
