import { parseArgs } from "node:util";
import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { openIdentity } from "../local/identity.ts";
import {
  hashOfToken,
  newServiceAccountToken,
  shownPartOf,
} from "../shared/auth/identify/service-account-token.ts";
import { ADMIN_ONLY, namedAdminScope } from "../shared/auth/scopes/admin-scope.ts";
import { newId } from "../shared/runtime/ids.ts";
import { forEachTable } from "../shared/settings/table-env.ts";
import { type Db, dbOver } from "../shared/stores/db.ts";
import { connectObjects } from "../shared/stores/objects/connect-objects.ts";
import { findName } from "../shared/stores/service-accounts/account-item.ts";
import { mintAccount } from "../shared/stores/service-accounts/mint-account.ts";

/**
 * Prints the first credential of an installation, and nothing else: without `--stack` a token of the local identity
 * provider; with it the token of a service account that is written directly into that stack's table, with the caller's
 * AWS credentials. `--table` names the table itself, where an earlier deployment of the stage has left another one, and
 * `--audit-table` the one in which it is recorded.
 */
const usage =
  "npm run --silent mint-admin-token -- [--stack agent-platform-prod | --table <name>] [--audit-table <name>] [--name first-admin] [--days 90] [--scope platform:admin]";

const DAY_SECONDS = 86_400;

type Options = {
  stack: string | undefined;
  table: string | undefined;
  auditTable: string | undefined;
  name: string;
  scope: string;
  days: number;
};

function fail(message: string): never {
  console.error(`${message}\nUse: ${usage}`);
  process.exit(1);
}

function options(): Options {
  const text = { type: "string" } as const;
  try {
    const { values } = parseArgs({
      options: {
        stack: text,
        table: text,
        "audit-table": text,
        name: { ...text, default: "first-admin" },
        scope: { ...text, default: namedAdminScope(process.env.ADMIN_SCOPE || ADMIN_ONLY) },
        days: { ...text, default: "90" },
      },
    });
    const days = Number(values.days);
    if (!Number.isInteger(days) || days < 1)
      fail(`--days is "${values.days}"; it must be a whole number above 0.`);
    if (!/^[a-z0-9][a-z0-9_-]{0,62}$/.test(values.name))
      fail(`--name is "${values.name}"; take a-z, 0-9, - and _.`);
    const { stack, table, name, scope, "audit-table": auditTable } = values;
    if (stack !== undefined && table !== undefined) fail("Give --stack or --table, not both.");
    return { stack, table, auditTable, name, scope, days };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/** CloudFormation names a table after its stack and its logical name, so listing tables is enough. */
async function accountsTable(client: DynamoDBClient, stack: string): Promise<string> {
  const prefix = `${stack}-data-ServiceAccounts`;
  const { TableNames = [] } = await client.send(new ListTablesCommand({ ExclusiveStartTableName: prefix }));
  const found = TableNames.filter((name) => name.startsWith(prefix));
  const [table, ...others] = found;
  if (table === undefined)
    fail(`There is no table ${prefix}… in this account and region. Is the stack deployed?`);
  if (others.length > 0)
    fail(
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
  return fail(
    `To record the account, ${found} with ${prefix}: give the one that the stack has as --audit-table.`,
  );
}

async function mintIn({ stack = "", table: given, auditTable, name, scope, days }: Options): Promise<string> {
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
  if (!minted) fail(`A service account named ${name} exists; revoke it, or choose another --name.`);
  return token;
}

const chosen = options();
const local = () =>
  openIdentity(process.env.DATA_DIR || ".local").token({ sub: "admin", scopes: [chosen.scope] });
const isLocal = chosen.stack === undefined && chosen.table === undefined;
console.log(isLocal ? local() : await mintIn(chosen));
