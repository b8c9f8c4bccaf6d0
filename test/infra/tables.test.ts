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

test("the bucket keeps what was deleted as long as the tables keep their past, unless the stage is for trying out", () => {
  const bucketOf = (app: typeof kept) =>
    app.ofType("AWS::S3::Bucket").find(({ id }) => id.startsWith("Objects"))?.properties;
  expect(bucketOf(disposable)?.VersioningConfiguration).toBeUndefined();
  expect(bucketOf(kept)).toMatchObject({
    VersioningConfiguration: { Status: "Enabled" },
    LifecycleConfiguration: {
      Rules: expect.arrayContaining([
        expect.objectContaining({ Id: "past", NoncurrentVersionExpiration: { NoncurrentDays: 35 } }),
        expect.objectContaining({ Id: "uploads", NoncurrentVersionExpiration: { NoncurrentDays: 1 } }),
      ]),
    },
  });
});

test("there is one table for each layout", () => {
  expect(kept.ofType("AWS::DynamoDB::GlobalTable")).toHaveLength(Object.keys(tables).length);
});

test("without warmWrites no table is paid for a rate", () => {
  for (const { properties } of kept.ofType("AWS::DynamoDB::GlobalTable")) {
    expect(properties.WarmThroughput).toBeUndefined();
  }
});

test("an output names the table of service accounts, for mint-admin-token", () => {
  expect(kept.outputs.ServiceAccountsTable).toMatchObject({
    Value: `<${tableOf(kept, "service_accounts")?.id}>`,
  });
});

describe("the bucket beside the tables", () => {
  const [bucket] = kept.ofType("AWS::S3::Bucket");

  test("is encrypted, closed to the public and to plain HTTP, and outlives every stack", () => {
    expect(kept.ofType("AWS::S3::Bucket")).toHaveLength(1);
    expect(bucket?.properties.BucketEncryption).toBeDefined();
    expect(bucket?.properties.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    const [policy] = kept.ofType("AWS::S3::BucketPolicy");
    const denied = JSON.stringify(policy?.properties.PolicyDocument.Statement);
    expect(denied).toContain('"aws:SecureTransport":"false"');
    expect(denied).not.toContain('"Effect":"Allow"');
  });

  test("is named to every function that has tables", () => {
    const withTables = kept
      .ofType("AWS::Lambda::Function")
      .map(({ variables }) => variables)
      .filter((variables) => "RUNS_TABLE" in variables);
    expect(withTables.length).toBeGreaterThan(0);
    for (const variables of withTables) expect(variables).toHaveProperty("OBJECTS_BUCKET");
  });
});
