import { join } from "node:path";
import { openS3, type S3Answer } from "../../../local/s3/s3.ts";
import { s3RequestOf } from "../../../local/s3/s3-request.ts";

const MARKER = "gone";
const THEN = "then";

/** What S3 answers about versions, from two states of a bucket: that of a marked instant and the present one. */
export type KeptObjects = {
  readonly answer: (
    method: string,
    url: URL,
    headers: Readonly<Record<string, unknown>>,
    body: Buffer,
  ) => Promise<S3Answer>;
};

type Found = { readonly bytes: string; readonly at: string };

/**
 * A versioned bucket over the local S3, which keeps none.
 *
 * @param present  folder of the buckets
 * @param past     its copy of the instant
 * @param instant  when the copy was made
 */
export function keepObjects(present: string, past: string, instant: () => Date): KeptObjects {
  const [now, then] = [openS3(present), openS3(past)];
  const request = (operation: string, body: Record<string, unknown>) => ({ service: "s3", operation, body });
  const read = (from: typeof now, Bucket: string, Key: string) =>
    from.answer(request("GetObject", { Bucket, Key }), {}, Buffer.alloc(0));

  const listed = async (from: typeof now, Bucket: string): Promise<Map<string, Found>> => {
    const found = new Map<string, Found>();
    for (let ContinuationToken = ""; ; ) {
      const page = await from.answer(
        request("ListObjectsV2", { Bucket, ContinuationToken }),
        {},
        Buffer.alloc(0),
      );
      for (const [, key = "", at = ""] of String(page.body).matchAll(
        /<Key>([^<]*)<\/Key><LastModified>([^<]*)</g,
      )) {
        const { body } = await read(from, Bucket, key);
        found.set(key, { at, bytes: Buffer.from(body).toString("base64") });
      }
      const [, next] = /<NextContinuationToken>([^<]*)</.exec(String(page.body)) ?? [];
      if (next === undefined) return found;
      ContinuationToken = next;
    }
  };

  const versions = async (Bucket: string): Promise<S3Answer> => {
    const [before, after] = [await listed(then, Bucket), await listed(now, Bucket)];
    const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
    const entries = keys.map((key) => {
      const [old, present] = [before.get(key), after.get(key)];
      const isSame = old !== undefined && old.bytes === present?.bytes;
      return [
        ...(present && !isSame ? [entry("Version", key, "now", true, present.at, present.bytes)] : []),
        ...(present ? [] : [entry("DeleteMarker", key, MARKER, true, new Date().toISOString())]),
        ...(old ? [entry("Version", key, THEN, isSame, instant().toISOString(), old.bytes)] : []),
      ].join("");
    });
    return xml(
      `<ListVersionsResult><IsTruncated>false</IsTruncated>${entries.join("")}</ListVersionsResult>`,
    );
  };

  const bringBack = async (Bucket: string, Key: string): Promise<void> => {
    const { body } = await read(then, Bucket, Key);
    await now.answer(request("PutObject", { Bucket, Key }), {}, Buffer.from(body));
  };

  return {
    async answer(method, url, headers, body) {
      const [Bucket = "", ...rest] = url.pathname.slice(1).split("/").map(decodeURIComponent);
      const Key = rest.join("/");
      if (url.searchParams.has("versioning"))
        return xml("<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>");
      if (url.searchParams.has("versions")) return versions(Bucket);
      const source = headers["x-amz-copy-source"];
      if (url.searchParams.get("versionId") === MARKER || String(source).endsWith(`?versionId=${THEN}`)) {
        await bringBack(Bucket, Key);
        return method === "DELETE" ? { status: 204, headers: {}, body: "" } : xml("<CopyObjectResult/>");
      }
      return now.answer(s3RequestOf(method, url.href), headers, body);
    },
  };
}

export const pastOf = (folder: string): string => join(folder, "s3-then");

const entry = (
  kind: string,
  key: string,
  id: string,
  isLatest: boolean,
  at: string,
  bytes?: string,
): string =>
  `<${kind}><Key>${key}</Key><VersionId>${id}</VersionId><IsLatest>${isLatest}</IsLatest><LastModified>${at}</LastModified>${
    bytes === undefined ? "" : `<ETag>"${bytes.length}-${bytes.slice(0, 40)}"</ETag>`
  }</${kind}>`;

const xml = (body: string): S3Answer => ({
  status: 200,
  headers: { "content-type": "application/xml" },
  body: `<?xml version="1.0" encoding="UTF-8"?>${body}`,
});
