import { openIdentity } from "../../../local/identity.ts";
import { ADMIN_ONLY, namedAdminScope } from "../../../shared/auth/scopes/admin-scope.ts";
import { readProject } from "../../config/read-project.ts";
import { UsageError } from "../usage-error.ts";

type TokenOptions = {
  readonly sub: string;
  readonly scopes?: string;
  readonly hours: string;
  readonly json?: true;
};

/** Prints a token of this machine's identity provider, and nothing else; with `json` what it is good for, too. */
export async function printToken({ sub, scopes, hours, json }: TokenOptions): Promise<void> {
  const { config } = await readProject();
  const valid = Number(hours);
  if (!(valid > 0)) throw new UsageError(`--hours is "${hours}"; it must be a number above 0.`);
  const { adminScope = ADMIN_ONLY } = { ...config.settings, ...config.local };
  const admin = namedAdminScope(process.env.ADMIN_SCOPE || String(adminScope));
  const identity = openIdentity(process.env.DATA_DIR || ".local");
  const asked = scopes?.split(/[\s,]+/).filter(Boolean) ?? [admin];
  const token = identity.token({ sub, scopes: asked, hours: valid });
  console.log(json ? JSON.stringify({ token, sub, scopes: asked, hours: valid }, null, 2) : token);
}
