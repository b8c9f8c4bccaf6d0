import type { ChunkerKey } from "../chunkers/chunker.ts";
import type { Passage } from "./passage.ts";

/** What turns bytes into text. */
export type Reader = {
  readonly name: string;
  readonly description: string;
  /** Extensions, and words for what else it reads. */
  readonly types: readonly string[];
  readonly mimeTypes: readonly string[];
  /** The chunkers that suit it; none where what it reads is in pieces already. */
  readonly chunkers: readonly ChunkerKey[];
  /** Used when an upload names none. */
  readonly chunker: ChunkerKey | undefined;
  /** Its libraries are loaded when it reads for the first time. @throws ContentFault */
  readonly read: (bytes: Uint8Array) => Promise<Passage[]>;
};
