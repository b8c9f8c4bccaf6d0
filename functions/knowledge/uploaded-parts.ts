import { createHash } from "node:crypto";
import { ServiceError } from "../../shared/errors.ts";
import { normalizedAddress, unfetchableAddress } from "../../shared/outbound/index.ts";
import type { ContentInput, SiteInput } from "../../shared/schemas/knowledge/knowledge-content.ts";
import { type ContentForm, DEFAULT_PAGES } from "../../shared/schemas/knowledge/knowledge-forms.ts";
import { parsedJson } from "../../shared/schemas/values/json-values.ts";
import type { Db } from "../../shared/stores/db.ts";
import type { UploadTicket } from "../../shared/stores/knowledge/upload-ticket.ts";
import { putObject } from "../../shared/stores/objects/object-bytes.ts";

/** One document of an upload. */
export type UploadedPart = {
  readonly name: string;
  /** Distinguishes it from other documents with the same description. */
  readonly origin: string;
  readonly type: string | null;
  readonly size: number;
  /** Stores its bytes where it has any. @param prefix of the objects of the revision that it becomes */
  readonly inputAt: (db: Db, prefix: string) => Promise<ContentInput>;
};

/** A text without a name is named by its beginning. */
const NAME_CHARS = 10;
const MAX_NAME_CHARS = 255;
const MAX_URLS = 100;

/**
 * What a form uploads: one file, one text, one or several addresses, or one finished upload.
 *
 * @param allowedHosts  hosts that may be fetched from although their address is not public
 * @throws ServiceError BAD_REQUEST for none, for several kinds at once, or for an address that is not fetched
 */
export function uploadedParts(
  form: ContentForm,
  ticket: UploadTicket | undefined,
  allowedHosts: readonly string[],
): UploadedPart[] {
  const { file, url, name } = form;
  const text = form.text_content === "" ? undefined : form.text_content;
  const kinds = [file, text, url, ticket].filter((part) => part !== undefined).length;
  if (kinds === 0)
    throw new ServiceError("BAD_REQUEST", "one of file, text_content, url and upload_id is needed");
  if (kinds > 1)
    throw new ServiceError("BAD_REQUEST", "only one of file, text_content, url and upload_id may be given");
  if (file) return [filePart(file, name)];
  if (ticket) return [ticketPart(ticket, name)];
  const site = siteOf(form);
  if (url !== undefined)
    return urlsOf(url, allowedHosts).map((one) => (site ? sitePart(one, site, name) : urlPart(one, name)));
  return [textPart(text ?? "", name)];
}

type Site = Pick<SiteInput, "from" | "depth" | "max_pages">;

/** @throws ServiceError BAD_REQUEST for a site without an address, or by map and by links at once */
function siteOf({ url, sitemap = false, depth, max_pages }: ContentForm): Site | undefined {
  if (!sitemap && depth === undefined && max_pages === undefined) return undefined;
  if (url === undefined) throw new ServiceError("BAD_REQUEST", "sitemap, depth and max_pages need a url");
  if (sitemap === (depth !== undefined))
    throw new ServiceError("BAD_REQUEST", "a site is read either by its sitemap or by a depth of links");
  return { from: sitemap ? "sitemap" : "links", depth: depth ?? 0, max_pages: max_pages ?? DEFAULT_PAGES };
}

function sitePart(url: string, site: Site, name: string | undefined): UploadedPart {
  return {
    ...urlPart(url, name),
    origin: `site:${site.from}:${url}`,
    inputAt: async () => ({ kind: "site", url: normalizedAddress(url), ...site }),
  };
}

type File = NonNullable<ContentForm["file"]>;

const filePart = ({ filename, mime_type, bytes }: File, name: string | undefined): UploadedPart => ({
  name: name ?? filename.slice(0, MAX_NAME_CHARS),
  origin: `file:${filename}`,
  type: mime_type,
  size: bytes.length,
  inputAt: (db, prefix) => storedInput(db, prefix, { bytes, filename, mime_type }),
});

const ticketPart = (
  { filename, mime_type, key, size }: UploadTicket,
  name: string | undefined,
): UploadedPart => ({
  name: name ?? filename,
  origin: `file:${filename}`,
  type: mime_type,
  size,
  inputAt: async () => ({ kind: "upload", key, filename, mime_type }),
});

const urlPart = (url: string, name: string | undefined): UploadedPart => ({
  name: name ?? url.slice(0, MAX_NAME_CHARS),
  origin: `url:${url}`,
  type: "url",
  size: 0,
  inputAt: async () => ({ kind: "url", url: normalizedAddress(url) }),
});

function textPart(text: string, name: string | undefined): UploadedPart {
  const bytes = new Uint8Array(Buffer.from(text));
  const digest = createHash("sha256").update(bytes).digest("hex");
  return {
    name: name ?? text.slice(0, NAME_CHARS),
    // Texts without a name are distinguished by their content.
    origin: name === undefined ? `text:${digest}` : "text",
    type: "manual",
    size: bytes.length,
    inputAt: (db, prefix) => storedInput(db, prefix, { bytes, filename: "", mime_type: "text/plain" }),
  };
}

async function storedInput(
  db: Db,
  prefix: string,
  { bytes, filename, mime_type }: File,
): Promise<ContentInput> {
  return { kind: "held", file: { object: await putObject(db, prefix, bytes), filename, mime_type } };
}

/** One address, or a JSON array of them. A name that resolves to an address which is not public is found when it is fetched. */
function urlsOf(text: string, allowedHosts: readonly string[]): string[] {
  const urls = text.trim().startsWith("[") ? listOf(text) : [text.trim()];
  for (const url of urls) {
    const refusal = unfetchableAddress(url, allowedHosts);
    if (refusal !== undefined) throw new ServiceError("BAD_REQUEST", `url: ${refusal}`);
  }
  return urls;
}

function listOf(text: string): string[] {
  const urls = parsedList(text);
  if (!urls || urls.length === 0 || urls.length > MAX_URLS) {
    throw new ServiceError(
      "BAD_REQUEST",
      `url must be one address, or a JSON array of 1 to ${MAX_URLS} addresses`,
    );
  }
  return [...new Set(urls)];
}

function parsedList(text: string): string[] | undefined {
  const value = parsedJson(text);
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined;
}
