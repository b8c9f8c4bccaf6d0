import type { OutMedium } from "./chat-port.ts";

/** The name under which a file is sent. */
export const fileNameOf = ({ filename, kind, mime_type }: OutMedium): string =>
  filename ?? `${kind.replace(/s$/, "")}.${mime_type.split("/")[1]?.replace(/\W.*/, "") ?? "bin"}`;

const MAX_CAPTION = 1024;

/** A caption cut to the length that both platforms accept. */
export const shortCaption = (caption: string): string =>
  caption.length <= MAX_CAPTION ? caption : `${caption.slice(0, MAX_CAPTION - 3).toWellFormed()}...`;

/** A file for a form. The copy gives it a buffer of its own, which the type requires. */
export const blobOf = (bytes: Uint8Array, mime_type: string): Blob =>
  new Blob([Uint8Array.from(bytes)], { type: mime_type });
