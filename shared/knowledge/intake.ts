/** The face for what puts contents on record and processes them: chunkers, sources, tags. */
export { addContent, wake } from "./add-content.ts";
export { type ChunkerKey, chunkerKeys } from "./chunkers/chunker.ts";
export { chunkers } from "./chunkers/chunkers.ts";
export { contentIdOf } from "./content-id.ts";
export { NO_EMBEDDER } from "./embedders/embedder.ts";
export { RetryableResponse } from "./fetch/answers.ts";
export { markRemoved } from "./mark-removed.ts";
export { connectProcessing } from "./processing/connect-processing.ts";
export { OutOfTime } from "./processing/out-of-time.ts";
export { processContent } from "./processing/process-content.ts";
export type { ProcessingDeps } from "./processing/processing-deps.ts";
export { requireWithin } from "./sources/fenced-source.ts";
export {
  type Listing,
  nameOfKey,
  type SourceQuery,
  type SourceReader,
  wireSource,
} from "./sources/source.ts";
export { SourceFault } from "./sources/source-fault.ts";
export { tagError } from "./tags.ts";
