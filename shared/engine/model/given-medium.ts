import type { MediaKind } from "../../schemas/runs/media.ts";

/** A file that a tool gives: its bytes, or where it is (http or https). */
export type GivenMedium = {
  /** Such as `image/png`. */
  readonly mime_type: string;
  readonly filename?: string;
  /** What it stands for in words; a caption where it is sent to a chat. */
  readonly alt_text?: string;
  /** What it is treated as; follows from the type when absent. `files` has a picture sent as a document. */
  readonly kind?: MediaKind;
} & ({ readonly bytes: Uint8Array } | { readonly url: string });
