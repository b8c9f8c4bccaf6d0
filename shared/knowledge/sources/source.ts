import type { KnowledgeSource } from "../../schemas/knowledge/knowledge-source.ts";
import type { SourceSetting } from "../../settings/values/sources.ts";

/** One object of a source. */
export type RemoteFile = {
  readonly bytes: Uint8Array;
  readonly filename: string;
  /** Empty where the source does not know. */
  readonly mime_type: string;
};

export type RemoteEntry = {
  readonly key: string;
  readonly size: number | null;
  /** RFC 3339. */
  readonly last_modified: string | null;
};

export type SourceQuery = {
  /** Keys must begin with it. */
  readonly prefix: string;
  /** Most entries of one page, folders included. */
  readonly limit: number;
  /** Ends the name of a folder; empty to list files at any depth and no folders. */
  readonly delimiter: string;
};

/** A part of a listing. */
export type Listing = {
  /** With the prefix, and the delimiter at the end. */
  readonly folders: readonly string[];
  readonly files: readonly RemoteEntry[];
  /** Whether another page follows. */
  readonly more: boolean;
};

/** Reads a configured source. After any error but a `ContentFault`, a retry may succeed. */
export type SourceReader = {
  /** @throws ContentFault when there is no such object */
  readonly read: (key: string) => Promise<RemoteFile>;
  /**
   * Lists the source from its beginning; a page is fetched when the reader gets to it. There is one page at least.
   * Objects that stand for a folder itself are left out.
   *
   * @throws SourceFault when the source does not exist, may not be read, or cannot be listed like this
   */
  readonly pages: (query: SourceQuery) => AsyncIterable<Listing>;
};

export const nameOfKey = (key: string): string => key.split("/").at(-1) ?? key;

/** A source as clients see it: where it is, and no credentials. */
export const wireSource = (source: SourceSetting): KnowledgeSource => ({
  id: source.id,
  name: source.name ?? source.id,
  type: source.type,
  metadata: placeOf(source),
  prefix: source.prefix ?? null,
});

function placeOf(source: SourceSetting): Record<string, string> | null {
  switch (source.type) {
    case "s3":
    case "gcs":
      return { bucket: source.bucket };
    case "azureblob":
      return { account: source.account, container: source.container };
    case "sharepoint":
      return { site: source.site, ...(source.library !== undefined && { library: source.library }) };
    case "github":
      return source.repo === undefined ? null : { repo: source.repo };
  }
}
