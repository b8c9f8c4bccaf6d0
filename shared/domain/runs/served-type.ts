/** A type and a subtype of tokens, and nothing else. @source RFC 9110, section 8.3.1 */
const MIME_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;

/** Types that a browser shows without executing anything in them. */
const shown = /^(image\/(?!svg)|audio\/|video\/|text\/(plain|csv|markdown)$|application\/(pdf|json)$)/;

/**
 * The media type under which a stored file is given to a browser. The type comes from a client or a tool, and a browser
 * would execute a page or a drawing on the address that it came from: such files are given as bytes to save.
 */
export function servedType(mimeType: string | undefined): string {
  const type = (mimeType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  return MIME_TYPE.test(type) && shown.test(type) ? type : "application/octet-stream";
}
