import { openIdentity } from "../../../local/identity.ts";
import { ADMIN_ONLY, namedAdminScope } from "../../../shared/auth/scopes/admin-scope.ts";
import { readProject, settingsOf, type UserProject } from "../../config/read-project.ts";
import { MintError, mintFirstToken } from "../../first-token/mint-first-token.ts";
import { reachAws } from "../reach-aws.ts";
import { UsageError } from "../usage-error.ts";

type TokenOptions = {
  readonly sub: string;
  readonly scopes?: string;
  readonly hours: string;
  readonly json?: true;
  readonly stage?: string;
  readonly table?: string;
  readonly name: string;
  readonly days: string;
};

/** Prints a token of this machine's identity provider, and nothing else; with `json` what it is good for, too. */
export async function printToken(options: TokenOptions): Promise<void> {
  const { sub, scopes, hours, json, stage } = options;
  const project = await readProject();
  if (stage !== undefined) return printFirstToken(project, { ...options, stage });
  const { config } = project;
  const valid = Number(hours);
  if (!(valid > 0)) throw new UsageError(`--hours is "${hours}"; it must be a number above 0.`);
  const { adminScope = ADMIN_ONLY } = { ...config.settings, ...config.local };
  const admin = namedAdminScope(process.env.ADMIN_SCOPE || String(adminScope));
  const identity = openIdentity(process.env.DATA_DIR || ".local");
  const asked = scopes?.split(/[\s,]+/).filter(Boolean) ?? [admin];
  const token = identity.token({ sub, scopes: asked, hours: valid });
  console.log(json ? JSON.stringify({ token, sub, scopes: asked, hours: valid }, null, 2) : token);
}

/** The first credential of a deployment: a service account with the scope of an admin, made with the user's AWS credentials. */
async function printFirstToken(
  project: UserProject,
  { stage, table, name, days, json }: TokenOptions & { readonly stage: string },
): Promise<void> {
  const { adminScope = ADMIN_ONLY } = settingsOf(project, stage);
  const scope = namedAdminScope(String(adminScope));
  try {
    await reachAws();
    const stack = `agent-platform-${stage}`;
    const token = await mintFirstToken({ stack, table, name, scope, days: Number(days) });
    console.log(
      json ? JSON.stringify({ token, stage, name, scopes: [scope], days: Number(days) }, null, 2) : token,
    );
  } catch (error) {
    throw error instanceof MintError ? new UsageError(error.message) : error;
  }
}
