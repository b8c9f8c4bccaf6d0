/** What an answer's data may weigh as JSON: a function returns 6 MB at most, and text is escaped once more on its way. */
export const MAX_ANSWER_BYTES = 4_000_000;
