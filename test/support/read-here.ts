import type { ReadPassages } from "../../shared/knowledge/readers/read-in-thread.ts";
import { readers } from "../../shared/knowledge/readers/readers.ts";

/** Reads without a thread, where a test is about something else. */
export const readHere: ReadPassages = (reader, bytes) => readers[reader].read(bytes);
