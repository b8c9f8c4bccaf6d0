/** Names in the time zone database that have no region as a prefix. */
const singleNames = new Set(
  `cet cst6cdt cuba eet egypt eire est est5edt gb gb-eire gmt gmt+0 gmt-0 gmt0 greenwich hongkong hst iceland iran
  israel jamaica japan kwajalein libya met mst mst7mdt navajo nz nz-chat poland portugal prc pst8pdt roc rok singapore
  turkey uct universal utc w-su wet zulu`.split(/\s+/),
);

/**
 * The name by which every service knows a time zone.
 *
 * @param name  of the IANA database, older names too, in any case
 * @returns     undefined for what is no such name: offsets, abbreviations that mean several zones (`IST`), blanks
 */
export function canonicalZone(name: string): string | undefined {
  const isPlace = /^[a-z]\w*\/[\w+/-]+$/i.test(name) && !/^systemv\//i.test(name);
  if (!isPlace && !singleNames.has(name.toLowerCase())) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
