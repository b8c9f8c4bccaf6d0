import { cutText as cut } from "../domain/traces/cut-text.ts";

/** A response carries up to a hundred results, and is limited to 4 MB. */
const MAX_CHARS = 10_000;

/** Text shortened for results. The whole output is in the run. */
export const cutText = (text: string): string => cut(text, MAX_CHARS);
