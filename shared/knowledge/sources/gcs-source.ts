import * as v from "valibot";
import type { SettingOf } from "../../settings/values/sources.ts";
import { bearerAccess, publicAccess, type SourcePorts } from "./access.ts";
import { cachedToken } from "./cached-token.ts";
import { callSource, callSourceForJson, type SourceConnection } from "./call-source.ts";
import { encodedKey } from "./encoded-key.ts";
import { googleToken } from "./google-token.ts";
import { nameOfKey, type SourceReader } from "./source.ts";

const Page = v.object({
  items: v.optional(
    v.array(
      v.object({
        name: v.string(),
        size: v.optional(v.pipe(v.string(), v.transform(Number))),
        updated: v.optional(v.string()),
      }),
    ),
    [],
  ),
  prefixes: v.optional(v.array(v.string()), []),
  nextPageToken: v.optional(v.string()),
});

/** Reads a bucket of Google Cloud Storage by its JSON API. */
export function gcsSource(
  { bucket, secret, api_url = "https://storage.googleapis.com" }: SettingOf<"gcs">,
  ports: SourcePorts,
): SourceReader {
  const what = `the bucket ${bucket}`;
  const access =
    secret === undefined
      ? publicAccess
      : bearerAccess(cachedToken(() => googleToken(secret, what, ports), ports.clock));
  const connection: SourceConnection = { what, access, ports };
  const objects = `${api_url.replace(/\/$/, "")}/storage/v1/b/${encodeURIComponent(bucket)}/o`;
  return {
    read: async (key) => {
      const url = new URL(`${objects}/${encodedKey(key).replaceAll("/", "%2F")}?alt=media`);
      const { bytes, mime_type } = await callSource(connection, {
        url,
        missing: `There is no object ${key}.`,
      });
      return { bytes, filename: nameOfKey(key), mime_type };
    },
    async *pages({ prefix, limit, delimiter }) {
      let next: string | undefined;
      do {
        const url = new URL(objects);
        url.search = new URLSearchParams({
          prefix,
          maxResults: String(limit),
          fields: "items(name,size,updated),prefixes,nextPageToken",
          ...(delimiter && { delimiter }),
          ...(next !== undefined && { pageToken: next }),
        }).toString();
        const missing = `There is no bucket ${bucket}.`;
        const page = v.parse(Page, await callSourceForJson(connection, { url, missing }));
        const files = page.items
          .filter(({ name }) => name !== prefix && !name.endsWith(delimiter || "/"))
          .map(({ name, size, updated }) => ({
            key: name,
            size: size ?? null,
            last_modified: updated ?? null,
          }));
        next = page.nextPageToken;
        yield { folders: page.prefixes, files, more: next !== undefined };
      } while (next !== undefined);
    },
  };
}
