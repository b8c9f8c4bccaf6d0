/**
 * Fields of a form that held something and were taken for nothing: malformed text is no refusal on this wire.
 *
 * @param given  as the form was sent
 * @param taken  as it passed its schema
 * @source contract, runs-and-queue 3.2, last paragraph
 */
export function droppedFields(given: unknown, taken: unknown): string[] {
  const values = new Map(entriesOf(taken));
  return entriesOf(given).flatMap(([name, value]) =>
    value !== "" && values.get(name) === undefined ? [name] : [],
  );
}

const entriesOf = (form: unknown): [string, unknown][] =>
  typeof form === "object" && form !== null ? Object.entries(form) : [];
