import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { jwtVerify } from "jose";
import { type Cloud, type CloudAnswer, type CloudRequest, json, serveCloud } from "./cloud-server.ts";
import { cloudFiles, objectPage } from "./object-list.ts";

const ACCOUNT = "reader@acme.iam.gserviceaccount.com";
const newKey = () =>
  generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });

/** Google Cloud Storage's JSON API with one bucket, `team-files`, and the token service of its accounts. */
export async function startGoogleStorage(): Promise<Cloud> {
  let keys = newKey();
  let tokens = new Set<string>();
  const served = await serveCloud((request) =>
    request.url.pathname === "/token" ? giveToken(request) : serveObjects(request),
  );

  async function giveToken({ form, url }: CloudRequest): Promise<CloudAnswer> {
    const isGrant = form.get("grant_type") === "urn:ietf:params:oauth:grant-type:jwt-bearer";
    const rules = { algorithms: ["RS256"], issuer: ACCOUNT, audience: url.href, maxTokenAge: 3600 };
    try {
      const key = createPublicKey(keys.publicKey);
      const { payload } = await jwtVerify(form.get("assertion") ?? "", key, rules);
      const isScope = payload.scope === "https://www.googleapis.com/auth/devstorage.read_only";
      if (!isGrant || !isScope || Number(payload.exp) - Number(payload.iat) > 3600) throw new Error("claims");
    } catch (error) {
      return json({ error: "invalid_grant", error_description: String(error) }, 400);
    }
    const access_token = `ya29.${crypto.randomUUID()}`;
    tokens.add(access_token);
    return json({ access_token, expires_in: 3599, token_type: "Bearer" });
  }

  function serveObjects({ url, headers }: CloudRequest): CloudAnswer {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
    if (token === undefined || !tokens.has(token)) return json({ error: { code: 401 } }, 401);
    const [, bucket, name] = /^\/storage\/v1\/b\/([^/]+)\/o(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
    if (bucket !== "team-files") return json({ error: { code: 404 } }, 404);
    const asked = url.searchParams;
    if (name !== undefined) {
      const body = cloudFiles[decodeURIComponent(name)];
      const isMedia = asked.get("alt") === "media";
      return body !== undefined && isMedia
        ? { status: 200, headers: { "content-type": "text/plain" }, body }
        : json({ error: { code: 404 } }, 404);
    }
    const limit = Number(asked.get("maxResults"));
    if (!(limit >= 1 && limit <= 1000)) return json({ error: { code: 400 } }, 400);
    const { folders, files, next } = objectPage(Object.keys(cloudFiles), {
      prefix: asked.get("prefix") ?? "",
      delimiter: asked.get("delimiter") ?? "",
      limit,
      from: asked.get("pageToken") ?? "",
    });
    return json({
      ...(folders.length > 0 && { prefixes: folders }),
      ...(files.length > 0 && {
        items: files.map((name) => ({
          name,
          size: String(cloudFiles[name]?.length),
          updated: "2026-02-01T08:00:00.000Z",
        })),
      }),
      ...(next && { nextPageToken: next }),
    });
  }

  const setting = {
    type: "gcs",
    id: "google",
    bucket: "team-files",
    api_url: served.origin,
    secret: "the-secret",
  } as const;
  return {
    ...served,
    setting,
    missing: { ...setting, bucket: "there-is-none" },
    secret: () =>
      JSON.stringify({
        type: "service_account",
        client_email: ACCOUNT,
        private_key_id: "1",
        private_key: keys.privateKey,
        token_uri: `${served.origin}/token`,
      }),
    replaceSecret: () => {
      keys = newKey();
      tokens = new Set();
    },
  };
}
