/** The face of the readers of files. Runs load it when they read one. */
export { answerReading } from "./readers/answer-reading.ts";
export { parseXml } from "./readers/parse-xml.ts";
export { pickReader, readerByName } from "./readers/pick-reader.ts";
export type { Reader } from "./readers/reader.ts";
export { readerIds, readers } from "./readers/readers.ts";
export { decodedText } from "./readers/text-encoding.ts";
