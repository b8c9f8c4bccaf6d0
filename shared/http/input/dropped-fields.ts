/**
 * Form fields whose text was ignored because it was malformed: this interface does not refuse such a form.
 *
 * @param sent    the form as it came
 * @param parsed  what its schema made of it
 */
export function droppedFields(sent: unknown, parsed: unknown): string[] {
  const values = new Map(entriesOf(parsed));
  return entriesOf(sent).flatMap(([name, value]) =>
    value !== "" && values.get(name) === undefined ? [name] : [],
  );
}

const entriesOf = (form: unknown): [string, unknown][] =>
  typeof form === "object" && form !== null ? Object.entries(form) : [];
