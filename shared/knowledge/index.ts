/** Knowledge bases, and the search in them. Intake is in `intake.ts`, readers of files are in `reading.ts`; every other file is internal. */
export { baseNamed, connectKnowledge, type Knowledge } from "./connect-knowledge.ts";
export { ContentFault } from "./content-fault.ts";
export type { Passage } from "./readers/passage.ts";
export { type ReadFile, readInProcess } from "./readers/read-in-process.ts";
export { MAX_STREAMED_BYTES, MAX_WHOLE_BYTES, RUN_READING_LIMITS } from "./readers/reading-limits.ts";
export { searchBase } from "./search.ts";
export { weightsOf } from "./search-type.ts";
