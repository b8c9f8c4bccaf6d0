/** An instant as the wire writes it: ISO 8601 in UTC, without fractions. @param seconds epoch seconds */
export const isoTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
