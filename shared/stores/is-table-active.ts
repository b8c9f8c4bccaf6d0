import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import type { Db } from "./db.ts";

/** States in which a table takes reads and writes. A key that is not accessible has a state of its own. */
const active: readonly (string | undefined)[] = ["ACTIVE", "UPDATING"];

/** Whether a table is there and takes requests. Asks for its description: that takes no right to read what is in it. */
export async function isTableActive({ client }: Pick<Db, "client">, TableName: string): Promise<boolean> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return active.includes(Table?.TableStatus);
}
