import type { MediaKind } from "../../schemas/runs/media.ts";

/** A file that a tool gives: its bytes, or where it is (http or https). */
export type GivenMedium = {
  /** Such as `image/png`. */
  readonly mime_type: string;
  readonly filename?: string;
  /** A description in words; used as the caption when the file is sent to a chat. */
  readonly alt_text?: string;
  /** How it is treated; derived from the type when absent. With `files` a picture is sent as a document. */
  readonly kind?: MediaKind;
} & ({ readonly bytes: Uint8Array } | { readonly url: string });
