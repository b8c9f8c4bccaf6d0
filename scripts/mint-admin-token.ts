import { parseArgs } from "node:util";
import { openIdentity } from "../local/identity.ts";
import { mintFirstToken, refuseMalformed } from "../package/first-token/mint-first-token.ts";
import { ADMIN_ONLY, namedAdminScope } from "../shared/auth/scopes/admin-scope.ts";

/**
 * Prints the first credential of an installation, and nothing else: without `--stack` a token of the local identity
 * provider; with it the token of a service account that is written directly into that stack's table, with the caller's
 * AWS credentials. `--table` names the table itself, where an earlier deployment of the stage has left another one, and
 * `--audit-table` the one in which it is recorded.
 */
const usage =
  "npm run --silent mint-admin-token -- [--stack agent-platform-prod | --table <name>] [--audit-table <name>] [--name first-admin] [--days 90] [--scope platform:admin]";

function options() {
  const text = { type: "string" } as const;
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
  const { stack, table, name, scope, "audit-table": auditTable } = values;
  if (stack !== undefined && table !== undefined) throw new Error("Give --stack or --table, not both.");
  return { stack, table, auditTable, name, scope, days: Number(values.days) };
}

try {
  const { stack, ...wanted } = options();
  refuseMalformed(wanted);
  const isLocal = stack === undefined && wanted.table === undefined;
  const local = (): string =>
    openIdentity(process.env.DATA_DIR || ".local").token({ sub: "admin", scopes: [wanted.scope] });
  console.log(isLocal ? local() : await mintFirstToken({ ...wanted, stack: stack ?? "" }));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\nUse: ${usage}`);
  process.exitCode = 1;
}
