import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { jwtVerify } from "jose";
import { type Cloud, type CloudAnswer, type CloudRequest, json, serveCloud } from "./cloud-server.ts";
import { cloudFiles } from "./object-list.ts";

const APP = "1234";
const refused = (status: number) => json({ message: "refused" }, status);

/**
 * GitHub's API with one private repository, `acme/team-files`: a token sees it, and so does an app that is installed
 * there. To everybody else it does not exist.
 */
export async function startGitHub(): Promise<Cloud & { readonly appKey: string }> {
  const keys = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  let token = `github_pat_${crypto.randomUUID()}`;
  const installed = new Set<string>();
  const served = await serveCloud((request) => {
    if (request.headers["user-agent"] === undefined) return refused(403);
    const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    if (request.url.pathname === "/app/installations/77/access_tokens") return giveToken(request, given);
    if (given !== undefined && given !== token && !installed.has(given)) return refused(401);
    return given === undefined ? refused(404) : serve(request);
  });

  async function giveToken({ method }: CloudRequest, assertion = ""): Promise<CloudAnswer> {
    try {
      const rules = { algorithms: ["RS256"], issuer: APP, maxTokenAge: 600 };
      const { payload } = await jwtVerify(assertion, createPublicKey(keys.publicKey), rules);
      if (method !== "POST" || Number(payload.exp) - Number(payload.iat) > 600) return refused(401);
    } catch {
      return refused(401);
    }
    const made = `ghs_${crypto.randomUUID()}`;
    installed.add(made);
    return json({ token: made, expires_at: new Date(Date.now() + 3_600_000).toISOString() }, 201);
  }

  function serve({ url, headers }: CloudRequest): CloudAnswer {
    const path = decodeURIComponent(url.pathname);
    if (path === "/repos/acme/team-files/git/trees/main" && url.searchParams.get("recursive") === "1") {
      const blobs = Object.entries(cloudFiles).map(([path, { length: size }]) => ({
        path,
        size,
        type: "blob",
      }));
      return json({ tree: [{ path: "manuals", type: "tree" }, ...blobs], truncated: false });
    }
    const key = /^\/repos\/acme\/team-files\/contents\/(.+)$/.exec(path)?.[1] ?? "";
    const body = cloudFiles[key];
    const isRaw = headers.accept === "application/vnd.github.raw+json";
    if (body === undefined || !isRaw || url.searchParams.get("ref") !== "main") return refused(404);
    return { status: 200, headers: { "content-type": "application/vnd.github.raw+json" }, body };
  }

  const setting = {
    type: "github",
    id: "github",
    repo: "acme/team-files",
    branch: "main",
    api_url: served.origin,
    secret: "the-secret",
  } as const;
  return {
    ...served,
    setting,
    missing: { ...setting, repo: "acme/none" },
    secret: () => token,
    appKey: keys.privateKey,
    replaceSecret: () => {
      token = `github_pat_${crypto.randomUUID()}`;
    },
  };
}
