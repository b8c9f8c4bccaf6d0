/** The media type of lines of JSON. */
export const JSON_LINES = "application/x-ndjson";
