/**
 * The rows of a table in CSV, the first line among them; empty lines are left out.
 *
 * @param delimiter  what separates the cells of a row
 * @throws Error with a text for whoever has written the table, such as a quote that does not end
 */
export async function rowsOfCsv(text: string, delimiter: string): Promise<string[][]> {
  const { parse } = await import("csv-parse/sync");
  return parse(text, {
    bom: true,
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  });
}
