import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, paginateScan } from "@aws-sdk/lib-dynamodb";
import { withoutChance } from "./left-to-chance.ts";
import { mergeEvents } from "./merge-events.ts";
import type { IsWanted, Item, StoredItem, StoredText } from "./stored-item.ts";
import { plainPointer } from "./stored-objects.ts";
import { unpacked } from "./unpacked.ts";

export type ReadStored = (isWanted: IsWanted) => Promise<readonly StoredItem[]>;

/** Reads the items of a platform's tables. */
export type StoredItems = {
  readonly read: ReadStored;
  readonly close: () => void;
};

export function openStoredItems(endpoint: string): StoredItems {
  const credentials = { accessKeyId: "LOCAL", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint, region: "us-east-1", credentials });
  const documents = DynamoDBDocumentClient.from(client);
  const scan = async (table: string, isWanted: IsWanted): Promise<StoredItem[]> => {
    const items: Item[] = [];
    for await (const { Items = [] } of paginateScan({ client: documents }, { TableName: table })) {
      items.push(...Items.filter((item) => isWanted(textOf(item))));
    }
    const merged = mergeEvents(items.map((item) => readable(item) as Item));
    return withoutChance(merged).map((item) => ({ table, item }));
  };
  return {
    read: async (isWanted) => {
      const { TableNames = [] } = await client.send(new ListTablesCommand({}));
      return (await Promise.all(TableNames.map((name) => scan(name, isWanted)))).flat();
    },
    close: () => client.destroy(),
  };
}

const textOf = (item: Item): StoredText => ({
  key: `${item.pk} ${item.sk}`,
  text: JSON.stringify(item, withoutBytes),
});
const withoutBytes = (_: string, value: unknown) => (value instanceof Uint8Array ? null : value);

/** Values in a form that can be recorded: bytes unpacked, pointers to objects without what depends on the content. */
function readable(value: unknown): unknown {
  if (value instanceof Uint8Array) return unpacked(value);
  if (value instanceof Set) return [...value].sort();
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(plainPointer(value) ?? value);
  return Object.fromEntries(entries.map(([name, entry]) => [name, readable(entry)]));
}
