import { createHmac, randomBytes } from "node:crypto";
import { type Cloud, type CloudAnswer, type CloudRequest, serveCloud } from "./cloud-server.ts";
import { cloudFiles, objectPage } from "./object-list.ts";

const ACCOUNT = "acmefiles";
const VERSION = "2023-11-03";
const MAX_SKEW_MS = 15 * 60_000;

const xml = (status: number, body: string): CloudAnswer => ({
  status,
  headers: { "content-type": "application/xml" },
  body: `\u{feff}<?xml version="1.0" encoding="utf-8"?>${body}`,
});
const refused = (status: number, code: string) => xml(status, `<Error><Code>${code}</Code></Error>`);
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Azure Blob Storage with one container, `team-files`, which takes Shared Key and one shared access signature. */
export async function startAzureBlobs(): Promise<Cloud & { readonly sas: () => string }> {
  let key = randomBytes(64).toString("base64");
  const sas = () => `sv=${VERSION}&sp=rl&sig=${encodeURIComponent(key)}`;
  const served = await serveCloud((request) =>
    isSigned(request) ? serve(request) : refused(403, "AuthenticationFailed"),
  );

  function isSigned({ url, headers }: CloudRequest): boolean {
    if (headers["x-ms-version"] !== VERSION) return false;
    if (url.searchParams.get("sig") !== null) return url.searchParams.get("sig") === key;
    const date = String(headers["x-ms-date"]);
    if (!(Math.abs(Date.parse(date) - Date.now()) < MAX_SKEW_MS)) return false;
    // As "Authorize with Shared Key" writes it out: eleven headers that are not sent, two that are, resource, parameters.
    const parameters = [...url.searchParams].map(([name, value]) => `\n${name}:${value}`).toSorted();
    const signed =
      "GET\n\n\n\n\n\n\n\n\n\n\n\n" +
      `x-ms-date:${date}\nx-ms-version:${VERSION}\n/${ACCOUNT}${url.pathname}${parameters.join("")}`;
    const signature = createHmac("sha256", Buffer.from(key, "base64")).update(signed).digest("base64");
    return headers.authorization === `SharedKey ${ACCOUNT}:${signature}`;
  }

  function serve({ url }: CloudRequest): CloudAnswer {
    const [, container, ...rest] = url.pathname.split("/");
    if (container !== "team-files") return refused(404, "ContainerNotFound");
    if (rest.length > 0) {
      const body = cloudFiles[decodeURIComponent(rest.join("/"))];
      if (body === undefined) return refused(404, "BlobNotFound");
      return { status: 200, headers: { "content-type": "text/plain" }, body };
    }
    return listBlobs(url.searchParams);
  }

  function listBlobs(asked: URLSearchParams): CloudAnswer {
    const limit = Number(asked.get("maxresults"));
    if (
      asked.get("restype") !== "container" ||
      asked.get("comp") !== "list" ||
      !(limit >= 1 && limit <= 5000)
    ) {
      return refused(400, "InvalidQueryParameterValue");
    }
    const { folders, files, next } = objectPage(Object.keys(cloudFiles), {
      prefix: asked.get("prefix") ?? "",
      delimiter: asked.get("delimiter") ?? "",
      limit,
      from: asked.get("marker") ?? "",
    });
    const directory =
      "<Blob><Name>manuals</Name><Properties><ResourceType>directory</ResourceType></Properties></Blob>";
    const blobs = files.map(
      (name) =>
        `<Blob><Name>${escaped(name)}</Name><Properties><Last-Modified>Sun, 01 Feb 2026 08:00:00 GMT</Last-Modified>` +
        `<Content-Length>${cloudFiles[name]?.length}</Content-Length></Properties><OrMetadata/></Blob>`,
    );
    const prefixes = folders.map((name) => `<BlobPrefix><Name>${escaped(name)}</Name></BlobPrefix>`);
    const found = [directory, ...blobs, ...prefixes].join("");
    return xml(
      200,
      `<EnumerationResults><Blobs>${found}</Blobs><NextMarker>${next}</NextMarker></EnumerationResults>`,
    );
  }

  const setting = {
    type: "azureblob",
    id: "azure",
    account: ACCOUNT,
    container: "team-files",
    api_url: served.origin,
    secret: "the-secret",
    secret_kind: "account_key",
  } as const;
  return {
    ...served,
    setting,
    missing: { ...setting, container: "there-is-none" },
    secret: () => key,
    sas,
    replaceSecret: () => {
      key = randomBytes(64).toString("base64");
    },
  };
}
