import { withoutReserved } from "../../shared/domain/knowledge/content-plans.ts";
import type { Metadata, ReadingOptions } from "../../shared/schemas/knowledge/knowledge-content.ts";

type Said = {
  readonly metadata?: Metadata | undefined;
  readonly reader_id?: string | undefined;
  readonly chunker?: string | undefined;
  readonly chunk_size?: number | undefined;
  readonly chunk_overlap?: number | undefined;
};

/** How an upload is to be read, as far as it says. */
export const optionsOf = ({ reader_id, chunker, chunk_size, chunk_overlap }: Said): ReadingOptions => ({
  ...(reader_id !== undefined && { reader_id }),
  ...(chunker !== undefined && { chunker }),
  ...(chunk_size !== undefined && { chunk_size }),
  ...(chunk_overlap !== undefined && { chunk_overlap }),
});

/** What users may say of a content; the server's own member is dropped. @source contract, knowledge 4.5 */
export const metadataOf = ({ metadata }: Said): Metadata | undefined => metadata && withoutReserved(metadata);
