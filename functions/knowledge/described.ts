import { withoutReserved } from "../../shared/domain/knowledge/content-plans.ts";
import type { Metadata, ReadingOptions } from "../../shared/schemas/knowledge/knowledge-content.ts";

type Described = {
  readonly metadata?: Metadata | undefined;
  readonly reader_id?: string | undefined;
  readonly chunker?: string | undefined;
  readonly chunk_size?: number | undefined;
  readonly chunk_overlap?: number | undefined;
};

/** The reading options that an upload names. */
export const optionsOf = ({ reader_id, chunker, chunk_size, chunk_overlap }: Described): ReadingOptions => ({
  ...(reader_id !== undefined && { reader_id }),
  ...(chunker !== undefined && { chunker }),
  ...(chunk_size !== undefined && { chunk_size }),
  ...(chunk_overlap !== undefined && { chunk_overlap }),
});

/** The metadata that users may set; the server's own member is dropped. */
export const metadataOf = ({ metadata }: Described): Metadata | undefined =>
  metadata && withoutReserved(metadata);
