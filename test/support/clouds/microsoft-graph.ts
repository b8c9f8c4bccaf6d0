import { type Cloud, type CloudAnswer, type CloudRequest, json, serveCloud } from "./cloud-server.ts";
import { cloudFiles } from "./object-list.ts";

const TENANT = "acme.example";
const CLIENT = "8c1f6e2a-app";
const refused = (status: number, code: string) => json({ error: { code } }, status);

/**
 * Microsoft Graph with one site, whose own library and library `Team files` hold the same, and the token service. Files
 * are given out at another host, which must not be shown the token.
 */
export async function startMicrosoftGraph(): Promise<Cloud> {
  let secret = crypto.randomUUID();
  let tokens = new Set<string>();
  const served = await serveCloud((request) => {
    const { pathname } = request.url;
    if (pathname === `/${TENANT}/oauth2/v2.0/token`) return giveToken(request);
    if (pathname.startsWith("/download/")) return download(request);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    if (token === undefined || !tokens.has(token)) return refused(401, "InvalidAuthenticationToken");
    return serve(request);
  });

  function giveToken({ form }: CloudRequest): CloudAnswer {
    const isKnown = form.get("client_id") === CLIENT && form.get("client_secret") === secret;
    const isAsked =
      form.get("grant_type") === "client_credentials" && form.get("scope") === `${served.origin}/.default`;
    if (!isKnown) return json({ error: "invalid_client" }, 401);
    if (!isAsked) return json({ error: "invalid_request" }, 400);
    const access_token = crypto.randomUUID();
    tokens.add(access_token);
    return json({ access_token, expires_in: 3599, token_type: "Bearer" });
  }

  function download({ url, headers }: CloudRequest): CloudAnswer {
    const body = cloudFiles[decodeURIComponent(url.pathname.slice("/download/".length))];
    if (headers.authorization !== undefined || body === undefined) return refused(400, "tokenSeen");
    return { status: 200, headers: { "content-type": "text/plain" }, body };
  }

  function serve({ url }: CloudRequest): CloudAnswer {
    const path = decodeURIComponent(url.pathname);
    if (path === "/v1.0/sites/acme.sharepoint.com:/sites/team") return json({ id: "site,1" });
    if (path === "/v1.0/sites/site,1/drive") return json({ id: "b!drive" });
    if (path === "/v1.0/sites/site,1/drives") return drives(url);
    const [, item, part] =
      /^\/v1\.0\/drives\/b!drive\/root(?::\/(.+):)?\/(children|content)$/.exec(path) ?? [];
    if (part === "content") return redirect(item ?? "");
    return part === "children"
      ? children(item === undefined ? "" : `${item}/`, url)
      : refused(404, "itemNotFound");
  }

  function drives(url: URL): CloudAnswer {
    if (url.searchParams.has("$skiptoken")) return json({ value: [{ id: "b!drive", name: "Team files" }] });
    const next = `${served.origin}/v1.0/sites/site,1/drives?$skiptoken=2`;
    return json({ value: [{ id: "b!another", name: "Documents" }], "@odata.nextLink": next });
  }

  function redirect(key: string): CloudAnswer {
    if (!(key in cloudFiles)) return refused(404, "itemNotFound");
    const elsewhere = served.origin.replace("127.0.0.1", "localhost");
    return { status: 302, headers: { location: `${elsewhere}/download/${encodeURIComponent(key)}` } };
  }

  function children(folder: string, url: URL): CloudAnswer {
    const below = Object.keys(cloudFiles).filter((key) => key.startsWith(folder));
    const names = [...new Set(below.map((key) => key.slice(folder.length).split("/")[0] ?? ""))];
    const limit = Number(url.searchParams.get("$top"));
    if (below.length === 0) return refused(404, "itemNotFound");
    if (!(limit >= 1 && limit <= 200)) return refused(400, "invalidRequest");
    const from = Number(url.searchParams.get("$skiptoken") ?? 0);
    const next = new URL(url);
    next.searchParams.set("$skiptoken", String(from + limit));
    return json({
      value: names.slice(from, from + limit).map((name) => {
        const body = cloudFiles[`${folder}${name}`];
        const lastModifiedDateTime = "2026-02-01T08:00:00Z";
        return body === undefined
          ? { name, size: 0, lastModifiedDateTime, folder: { childCount: 1 } }
          : { name, size: body.length, lastModifiedDateTime, file: { mimeType: "text/plain" } };
      }),
      ...(from + limit < names.length && { "@odata.nextLink": next.href }),
    });
  }

  const setting = {
    type: "sharepoint",
    id: "sharepoint",
    site: "acme.sharepoint.com/sites/team",
    tenant: TENANT,
    client_id: CLIENT,
    secret: "the-secret",
    api_url: served.origin,
    login_url: served.origin,
  } as const;
  return {
    ...served,
    setting,
    missing: { ...setting, site: "acme.sharepoint.com/sites/none" },
    secret: () => secret,
    replaceSecret: () => {
      secret = crypto.randomUUID();
      tokens = new Set();
    },
  };
}
