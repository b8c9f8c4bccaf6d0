import type { SettingOf } from "../../settings/values/sources.ts";
import { type Access, publicAccess, type SourcePorts, secretAsToken } from "./access.ts";
import { cachedToken } from "./cached-token.ts";
import { callSource, type SourceConnection, textOf } from "./call-source.ts";
import { encodedKey } from "./encoded-key.ts";
import { readBlobList } from "./read-blob-list.ts";
import { sharedKeyAuthorization } from "./shared-key.ts";
import { nameOfKey, type SourceReader } from "./source.ts";

type Setting = SettingOf<"azureblob">;

const VERSION = "2023-11-03";

/** Reads a container of Azure Blob Storage by its REST API. */
export function azureBlobSource(setting: Setting, ports: SourcePorts): SourceReader {
  const { account, container, api_url = `https://${account}.blob.core.windows.net` } = setting;
  const connection: SourceConnection = {
    what: `the container ${container}`,
    access: accessTo(setting, ports),
    ports,
  };
  const below = `${api_url.replace(/\/$/, "")}/${encodeURIComponent(container)}`;
  return {
    read: async (key) => {
      const url = new URL(`${below}/${encodedKey(key)}`);
      const { bytes, mime_type } = await callSource(connection, {
        url,
        missing: `There is no object ${key}.`,
      });
      return { bytes, filename: nameOfKey(key), mime_type };
    },
    async *pages({ prefix, limit, delimiter }) {
      let marker = "";
      do {
        const url = new URL(below);
        url.search = new URLSearchParams({
          restype: "container",
          comp: "list",
          prefix,
          maxresults: String(limit),
          ...(delimiter && { delimiter }),
          ...(marker && { marker }),
        }).toString();
        const { bytes } = await callSource(connection, {
          url,
          missing: `There is no container ${container}.`,
        });
        const { next, folders, files } = await readBlobList(textOf(bytes));
        const shown = files.filter(({ key }) => key !== prefix && !key.endsWith(delimiter || "/"));
        marker = next;
        yield { folders, files: shown, more: marker !== "" };
      } while (marker !== "");
    },
  };
}

function accessTo({ account, secret, secret_kind }: Setting, ports: SourcePorts): Access {
  const version = { "x-ms-version": VERSION };
  if (secret === undefined)
    return { ...publicAccess, sign: async (url) => ({ url: url.href, headers: version }) };
  const { get, invalidate } = cachedToken(() => secretAsToken(ports, secret), ports.clock);
  if (secret_kind === "sas") {
    return {
      sign: async (url) => {
        const signed = new URL(url);
        for (const [name, value] of new URLSearchParams(await get())) signed.searchParams.set(name, value);
        return { url: signed.href, headers: version };
      },
      invalidate,
    };
  }
  return {
    sign: async (url) => {
      const headers = { "x-ms-date": new Date(ports.clock.now()).toUTCString(), ...version };
      const authorization = sharedKeyAuthorization({ url, account, key: await get(), headers });
      return { url: url.href, headers: { ...headers, authorization } };
    },
    invalidate,
  };
}
