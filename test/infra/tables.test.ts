import { describe, expect, test } from "vitest";
import { type TableLayout, tables } from "../../shared/stores/tables.ts";
import { synthesized } from "./synthesized.ts";

const disposable = await synthesized({ stage: "dev" });
const kept = await synthesized({ stage: "prod" });

const tableOf = (app: typeof kept, name: string) =>
  app
    .ofType("AWS::DynamoDB::GlobalTable")
    .find(({ id }) => id.toLowerCase().replace(/[0-9a-f]{8}$/, "") === name.replaceAll("_", ""));

const keys = (pk: string, sk: string) => [
  { AttributeName: pk, KeyType: "HASH" },
  { AttributeName: sk, KeyType: "RANGE" },
];

describe.each(Object.entries<TableLayout>(tables))("table %s", (name, layout) => {
  const properties = tableOf(kept, name)?.properties;

  test("has the keys, the indexes and the expiry of its layout, and is paid by use", () => {
    expect(properties.KeySchema).toEqual(keys("pk", "sk"));
    expect(properties.BillingMode).toBe("PAY_PER_REQUEST");
    expect(properties.TimeToLiveSpecification).toEqual({ AttributeName: "expires_at", Enabled: true });
    const indexes = Object.entries(layout.indexes).map(([IndexName, { pk, sk, project }]) => ({
      IndexName,
      KeySchema: keys(pk, sk),
      Projection:
        project === "keys"
          ? { ProjectionType: "KEYS_ONLY" }
          : { ProjectionType: "INCLUDE", NonKeyAttributes: [...project] },
    }));
    expect(properties.GlobalSecondaryIndexes ?? []).toEqual(indexes);
  });

  test("survives its stack and can be brought back to any moment, unless the stage is for trying out", () => {
    const replicaOf = (app: typeof kept) => tableOf(app, name)?.properties.Replicas[0];
    expect(replicaOf(kept)).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
    expect(replicaOf(disposable)).toMatchObject({
      DeletionProtectionEnabled: false,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
    });
  });
});

test("there is one table for each layout", () => {
  expect(kept.ofType("AWS::DynamoDB::GlobalTable")).toHaveLength(Object.keys(tables).length);
});
