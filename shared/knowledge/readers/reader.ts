import type { ChunkerKey } from "../chunkers/chunker.ts";
import type { Passage } from "./passage.ts";

/** Turns bytes into text. */
export type Reader = {
  readonly name: string;
  readonly description: string;
  /** Extensions, and names of other inputs that it reads. */
  readonly types: readonly string[];
  readonly mimeTypes: readonly string[];
  /** The chunkers that suit it; none where its passages are chunks already. */
  readonly chunkers: readonly ChunkerKey[];
  /** Used when an upload names none. */
  readonly chunker: ChunkerKey | undefined;
  /** Loads its libraries at its first use. @throws ContentFault */
  readonly read: (bytes: Uint8Array) => Promise<Passage[]>;
};
