import type { SourceSetting } from "../../runtime/knowledge-settings.ts";
import type { KnowledgeSource } from "../../schemas/knowledge-source.ts";

/** One object of a source. */
export type RemoteFile = {
  readonly bytes: Uint8Array;
  readonly filename: string;
  /** Empty where the source says nothing. */
  readonly mime_type: string;
};

export type RemoteEntry = {
  readonly key: string;
  readonly size: number | null;
  /** RFC 3339. */
  readonly last_modified: string | null;
};

/** A part of a listing, and where the next begins. */
export type Listing = {
  readonly folders: readonly string[];
  readonly files: readonly RemoteEntry[];
  readonly next: string | undefined;
};

/** Reads a configured source. */
export type SourceReader = {
  /** @throws ContentFault when there is no such object */
  readonly read: (key: string) => Promise<RemoteFile>;
  /** Keys of the files below a prefix, at any depth. @throws ContentFault when there are more than `most` */
  readonly list: (prefix: string, most: number) => Promise<string[]>;
};

/** A source as it is shown. @source contract, knowledge section 6 */
export const wireSource = (source: SourceSetting): KnowledgeSource => ({
  id: source.id,
  name: source.name ?? source.id,
  type: source.type,
  metadata: source.type === "s3" ? { bucket: source.bucket } : source.repo ? { repo: source.repo } : null,
  prefix: source.type === "s3" ? (source.prefix ?? null) : null,
});
