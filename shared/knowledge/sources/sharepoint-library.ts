import * as v from "valibot";
import type { SettingOf } from "../../settings/values/sources.ts";
import { bearerAccess, type SourcePorts } from "./access.ts";
import { cachedToken, type Token } from "./cached-token.ts";
import { callSourceForJson, type SourceConnection } from "./call-source.ts";
import { encodedKey } from "./encoded-key.ts";
import { requestToken } from "./request-token.ts";
import { SourceFault } from "./source-fault.ts";

type Setting = SettingOf<"sharepoint">;

const WithId = v.object({ id: v.string() });
const Drives = v.object({
  value: v.array(v.object({ id: v.string(), name: v.string() })),
  "@odata.nextLink": v.optional(v.string()),
});
const Item = v.object({
  name: v.string(),
  size: v.optional(v.number()),
  lastModifiedDateTime: v.optional(v.string()),
  file: v.optional(v.object({})),
  folder: v.optional(v.object({})),
});
const Items = v.object({ value: v.array(Item), "@odata.nextLink": v.optional(v.string()) });
type Items = { readonly items: readonly v.InferOutput<typeof Item>[]; readonly more: boolean };

export type Library = {
  readonly connection: SourceConnection;
  /** Address of the item at a path: of its children or its content. */
  readonly itemAddress: (path: string, part: "children" | "content") => Promise<URL>;
  /** Items of a folder, page by page. @param path  ends with a slash; empty for the library itself */
  readonly childrenOf: (path: string, limit: number) => AsyncIterable<Items>;
};

/** Graph returns no more in one page. */
const MAX_PAGE = 200;

/** Opens the document library of a setting; its drive is looked up once, at the first call. */
export function openLibrary(setting: Setting, ports: SourcePorts): Library {
  const { site, library, api_url = "https://graph.microsoft.com" } = setting;
  const api = new URL(api_url);
  const what = `the site ${site}`;
  const token = cachedToken(() => graphToken(setting, api.origin, ports), ports.clock);
  const connection: SourceConnection = { what, access: bearerAccess(token), ports };
  const root = `${api_url.replace(/\/$/, "")}/v1.0`;
  const fetchJson = (url: URL, missing = `There is no site ${site}.`) =>
    callSourceForJson(connection, { url, missing });

  async function findDrive(): Promise<string> {
    const [host = "", ...path] = site.split("/");
    const below = path.length > 0 ? `:/${encodedKey(path.join("/"))}` : "";
    const { id } = v.parse(WithId, await fetchJson(new URL(`${root}/sites/${host}${below}?$select=id`)));
    const drives = `${root}/sites/${encodeURIComponent(id)}/drive`;
    if (library === undefined) return v.parse(WithId, await fetchJson(new URL(`${drives}?$select=id`))).id;
    let next: string | undefined = `${drives}s?$select=id,name`;
    while (next !== undefined) {
      const page: v.InferOutput<typeof Drives> = v.parse(Drives, await fetchJson(sameService(next, api)));
      const found = page.value.find(({ name }) => name === library);
      if (found) return found.id;
      next = page["@odata.nextLink"];
    }
    throw new SourceFault("missing", `The site ${site} has no library ${library}.`);
  }

  let finding: Promise<string> | undefined;
  const drive = async () => {
    finding ??= findDrive();
    try {
      return await finding;
    } catch (error) {
      finding = undefined;
      throw error;
    }
  };
  const itemAddress: Library["itemAddress"] = async (path, part) => {
    const named = encodedKey(path.replace(/\/$/, ""));
    const item = named === "" ? "root" : `root:/${named}:`;
    return new URL(`${root}/drives/${encodeURIComponent(await drive())}/${item}/${part}`);
  };

  async function* childrenOf(path: string, limit: number): AsyncGenerator<Items> {
    let at: URL | undefined = await itemAddress(path, "children");
    at.search = `?$top=${Math.min(limit, MAX_PAGE)}&$select=name,size,lastModifiedDateTime,file,folder`;
    while (at) {
      const page: v.InferOutput<typeof Items> = v.parse(
        Items,
        await fetchJson(at, `There is no folder ${path}.`),
      );
      const next: string | undefined = page["@odata.nextLink"];
      yield { items: page.value, more: next !== undefined };
      at = next === undefined ? undefined : sameService(next, api);
    }
  }
  return { connection, itemAddress, childrenOf };
}

/** The token must not be sent to another service, even if an answer names one. */
function sameService(address: string, api: URL): URL {
  const url = new URL(address);
  if (url.origin !== api.origin) throw new SourceFault("refused", "The next page is at another service.");
  return url;
}

const Answer = v.object({ access_token: v.string(), expires_in: v.number() });

/** @source Microsoft's documentation of the OAuth 2.0 client credentials flow */
async function graphToken(
  { site, tenant, client_id, secret, login_url = "https://login.microsoftonline.com" }: Setting,
  service: string,
  ports: SourcePorts,
): Promise<Token> {
  const url = `${login_url.replace(/\/$/, "")}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
  const form = {
    grant_type: "client_credentials",
    client_id,
    client_secret: (await ports.readSecret(secret)).trim(),
    scope: `${service}/.default`,
  };
  const answer = await requestToken({ url, form }, `the site ${site}`, ports);
  const { access_token, expires_in } = v.parse(Answer, answer);
  return { value: access_token, until_ms: ports.clock.now() + expires_in * 1_000 };
}
