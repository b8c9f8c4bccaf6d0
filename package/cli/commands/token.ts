import { openIdentity } from "../../../local/identity.ts";
import { ADMIN_ONLY, namedAdminScope } from "../../../shared/auth/scopes/admin-scope.ts";
import { readProject } from "../../config/read-project.ts";
import { UsageError } from "../usage-error.ts";

type TokenOptions = { readonly sub: string; readonly scopes?: string; readonly hours: string };

/** Prints a token of this machine's identity provider, and nothing else. */
export async function printToken({ sub, scopes, hours }: TokenOptions): Promise<void> {
  const { config } = await readProject();
  const valid = Number(hours);
  if (!(valid > 0)) throw new UsageError(`--hours is "${hours}"; it must be a number above 0.`);
  const { adminScope = ADMIN_ONLY } = { ...config.settings, ...config.local };
  const admin = namedAdminScope(process.env.ADMIN_SCOPE || String(adminScope));
  const identity = openIdentity(process.env.DATA_DIR || ".local");
  const asked = scopes?.split(/[\s,]+/).filter(Boolean) ?? [admin];
  console.log(identity.token({ sub, scopes: asked, hours: valid }));
}
