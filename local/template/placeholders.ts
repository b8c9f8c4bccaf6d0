import type { Stack } from "./stack.ts";

type Context = Readonly<Record<string, unknown>>;

/**
 * Lets templates be made once for values that are different in each data folder and stand in them as they are, such as
 * a public key.
 *
 * @param values  letters, digits, "-" and "_", long enough to be nowhere else
 */
export function placeholders(values: readonly string[]) {
  // Of the same length: limits are checked on the template with the placeholders.
  const pairs = values.map((value, i) => ({ value, placeholder: `VALUE-${i}-`.padEnd(value.length, "x") }));
  return {
    put: (context: Context): Context => {
      const text = pairs.reduce(
        (done, { value, placeholder }) => done.replaceAll(value, placeholder),
        JSON.stringify(context),
      );
      return JSON.parse(text);
    },
    fill: (stacks: readonly Stack[]): readonly Stack[] => {
      const text = pairs.reduce(
        (done, { value, placeholder }) => done.replaceAll(placeholder, value),
        JSON.stringify(stacks),
      );
      return JSON.parse(text);
    },
  };
}
