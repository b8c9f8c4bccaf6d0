import * as v from "valibot";
import { epochSeconds } from "../../runtime/clock.ts";
import { signedJwt } from "../../runtime/secrets/signed-jwt.ts";
import type { SettingOf } from "../../settings/values/sources.ts";
import { type Access, bearerAccess, publicAccess, type SourcePorts, secretAsToken } from "./access.ts";
import { cachedToken, type Token } from "./cached-token.ts";
import { requestToken } from "./request-token.ts";

type Setting = SettingOf<"github">;

const Answer = v.object({ token: v.string(), expires_at: v.pipe(v.string(), v.isoTimestamp()) });

/** GitHub accepts ten minutes at most, and its clock may be behind. */
const ASSERTION = { before_seconds: 60, seconds: 540 };

/** Credentials of a repository: none, a token, or an app that is installed there. */
export function accessToGitHub(setting: Setting, api: string, ports: SourcePorts): Access {
  const { secret, app_id, installation_id } = setting;
  if (secret === undefined) return publicAccess;
  const load =
    app_id !== undefined && installation_id !== undefined
      ? () => installationToken({ secret, app_id, installation_id, api }, ports)
      : () => secretAsToken(ports, secret);
  return bearerAccess(cachedToken(load, ports.clock));
}

type App = {
  readonly secret: string;
  readonly app_id: string;
  readonly installation_id: string;
  readonly api: string;
};

/** @source GitHub's documentation, "Authenticating as a GitHub App installation" */
async function installationToken(app: App, ports: SourcePorts): Promise<Token> {
  const now = epochSeconds(ports.clock);
  const claims = { iss: app.app_id, iat: now - ASSERTION.before_seconds, exp: now + ASSERTION.seconds };
  const assertion = signedJwt(claims, await ports.readSecret(app.secret));
  const request = {
    url: `${app.api}/app/installations/${encodeURIComponent(app.installation_id)}/access_tokens`,
    headers: { accept: "application/vnd.github+json", authorization: `Bearer ${assertion}` },
  };
  const { token, expires_at } = v.parse(Answer, await requestToken(request, "the repository", ports));
  return { value: token, until_ms: Date.parse(expires_at) };
}
