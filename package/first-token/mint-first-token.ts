import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import {
  hashOfToken,
  newServiceAccountToken,
  shownPartOf,
} from "../../shared/auth/identify/service-account-token.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { forEachTable } from "../../shared/settings/table-env.ts";
import { type Db, dbOver } from "../../shared/stores/db.ts";
import { connectObjects } from "../../shared/stores/objects/connect-objects.ts";
import { findName } from "../../shared/stores/service-accounts/account-item.ts";
import { mintAccount } from "../../shared/stores/service-accounts/mint-account.ts";

/** Why there is no token. The message is a sentence for the operator. */
export class MintError extends Error {
  override readonly name = "MintError";
}

export type FirstToken = {
  /** The stack of the service, such as `agent-platform-prod`; not used where the tables are named. */
  readonly stack: string;
  /** Of the service accounts, where an earlier deployment of the stage has left another table. */
  readonly table?: string | undefined;
  /** In which the new account is recorded. */
  readonly auditTable?: string | undefined;
  /** Of the service account. */
  readonly name: string;
  readonly scope: string;
  readonly days: number;
};

const DAY_SECONDS = 86_400;

/**
 * Makes the first credential of an installation: a service account is written directly into a stack's table, with the caller's AWS
 * credentials.
 *
 * @returns its token, which is shown this once
 * @throws MintError for a stack that is not there or not clear, a name that is taken, and options that cannot be
 */
export async function mintFirstToken(wanted: FirstToken): Promise<string> {
  refuseMalformed(wanted);
  const { stack, table: given, auditTable, name, scope, days } = wanted;
  const client = new DynamoDBClient({});
  const table = given ?? (await accountsTable(client, stack));
  const audit = auditTable ?? (await auditTableBeside(client, table));
  // Only these two are used, and no objects.
  const tables = { ...forEachTable(() => table), audit };
  const db: Db = dbOver(client, tables, connectObjects("unused"));
  const token = newServiceAccountToken();
  const now = Math.floor(Date.now() / 1000);
  const held = await findName(db, name);
  const minted = await mintAccount(
    db,
    {
      id: newId(),
      name,
      // The name stays its first owner's, as when an admin mints it over the API.
      ...(held?.owner && { user_id: held.owner }),
      token_hash: hashOfToken(token),
      token_prefix: shownPartOf(token),
      scopes: [scope],
      created_at: now,
      valid_until: now + days * DAY_SECONDS,
    },
    held,
  );
  if (!minted)
    throw new MintError(`A service account named ${name} exists; revoke it, or choose another --name.`);
  return token;
}

/** @throws MintError for a name or a number of days that cannot be */
export function refuseMalformed({ name, days }: Pick<FirstToken, "name" | "days">): void {
  if (!Number.isInteger(days) || days < 1) throw new MintError("--days must be a whole number above 0.");
  if (!/^[a-z0-9][a-z0-9_-]{0,62}$/.test(name))
    throw new MintError(`--name is "${name}"; take a-z, 0-9, - and _.`);
}

/** CloudFormation names a table after its stack and its logical name, so listing tables is enough. */
async function accountsTable(client: DynamoDBClient, stack: string): Promise<string> {
  const prefix = `${stack}-data-ServiceAccounts`;
  const { TableNames = [] } = await client.send(new ListTablesCommand({ ExclusiveStartTableName: prefix }));
  const found = TableNames.filter((name) => name.startsWith(prefix));
  const [table, ...others] = found;
  if (table === undefined)
    throw new MintError(`There is no table ${prefix}… in this account and region. Is the stack deployed?`);
  if (others.length > 0)
    throw new MintError(
      `Several tables begin with ${prefix}, of which an earlier deployment kept the others: ${found.join(", ")}. Give the one that the stack has as --table. It is what this prints:\n` +
        `  aws cloudformation describe-stacks --stack-name ${stack}-data --query "Stacks[0].Outputs[?OutputKey=='ServiceAccountsTable'].OutputValue" --output text`,
    );
  return table;
}

/** The table of the audit of the same stack. */
async function auditTableBeside(client: DynamoDBClient, accounts: string): Promise<string> {
  const prefix = accounts.replace(/ServiceAccounts.*$/, "Audit");
  const { TableNames = [] } = await client.send(new ListTablesCommand({ ExclusiveStartTableName: prefix }));
  const [table, ...others] = TableNames.filter((name) => name.startsWith(prefix) && name !== accounts);
  if (table !== undefined && others.length === 0) return table;
  const found = table === undefined ? "no table begins" : "several tables begin";
  throw new MintError(
    `To record the account, ${found} with ${prefix}: give the one that the stack has as --audit-table.`,
  );
}
