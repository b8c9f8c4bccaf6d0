import type { OutMedium } from "./chat-port.ts";

/** The name that a file is sent under. */
export const fileNameOf = ({ filename, kind, mime_type }: OutMedium): string =>
  filename ?? `${kind.replace(/s$/, "")}.${mime_type.split("/")[1]?.replace(/\W.*/, "") ?? "bin"}`;

const MOST_CAPTION = 1024;

/** A caption as long as both platforms take one. */
export const shortCaption = (caption: string): string =>
  caption.length <= MOST_CAPTION ? caption : `${caption.slice(0, MOST_CAPTION - 3).toWellFormed()}...`;

/** A file as a form carries it. The copy gives it a buffer of its own, which the type asks for. */
export const blobOf = (bytes: Uint8Array, mime_type: string): Blob =>
  new Blob([Uint8Array.from(bytes)], { type: mime_type });
