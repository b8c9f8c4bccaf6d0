import { describe, expect, test } from "vitest";
import { synthesized } from "./synthesized.ts";

/** Properties that name a resource in its account, region or the world; the rest of the names are CloudFormation's own. */
const naming =
  /^(Name|Domain|(Alarm|Bucket|Budget|Cluster|Dashboard|Function|Group|Log ?Group|Monitor|Policy|Queue|Role|Rule|Schedule|Secret|Subscription|Table|Topic|UserPool|VectorBucket)Name)$/;

type Named = Readonly<Record<string, string>>;

/** Names by where they are given. */
function namesIn(value: unknown, path: string): Named {
  if (typeof value !== "object" || value === null) return {};
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, one]) =>
      naming.test(key) && typeof one === "string"
        ? { [`${path}.${key}`]: one }
        : namesIn(one, `${path}.${key}`),
    ),
  );
}

/** Names within something else: of a function's alias, a role's own policy, a metric's dimension, a pool's attribute. */
const within =
  /^AWS::(IAM::Policy|Lambda::Alias|ApiGatewayV2::Authorizer) |\.(Policies|Dimensions|Tags|Metrics|Schema|RecoveryMechanisms|LocalSecondaryIndexes|GlobalSecondaryIndexes)\./;

async function namesOf(stage: string): Promise<Named> {
  const { resources } = await synthesized({
    stage,
    jwtIssuers: '[{"issuer":"https://example.com","jwks_uri":"https://example.com/keys"}]',
    userPool: "true",
    alarmEmail: "ops@example.com",
    costAlarmUsd: 500,
    customerKey: "true",
    vectorStore: "s3-vectors",
  });
  const named = resources.flatMap(({ id, type, properties }) =>
    Object.entries(namesIn(properties, `${type} ${id}`)),
  );
  return Object.fromEntries(named.filter(([path]) => !within.test(path)));
}

/** Types whose names are unique within a region, or need not be unique. Every other name is taken in the whole account. */
const regional =
  /^AWS::(ApiGatewayV2|CloudFormation|Cognito|KMS|Lambda|S3Vectors|Scheduler|SecretsManager|SNS|SQS)::|^AWS::CloudFront::Distribution /;

/** The names that are taken in all regions of an account, as a deployment in this region has them. */
const globalNamesIn = (names: Named, region: string): Named =>
  Object.fromEntries(
    Object.entries(names)
      .filter(([path]) => !regional.test(path))
      .map(([path, name]) => [path, name.replaceAll("<AWS::Region>", region)]),
  );

const first = namesOf("one");

describe("names of resources", () => {
  test("one stage in two regions of an account gives no name of the whole account twice", async () => {
    const names = await first;
    const [one, two] = [globalNamesIn(names, "eu-west-1"), globalNamesIn(names, "us-east-1")];
    expect(Object.keys(one).map((path) => path.split(" ")[0])).toEqual(
      expect.arrayContaining([
        "AWS::Budgets::Budget",
        "AWS::CE::AnomalyMonitor",
        "AWS::CE::AnomalySubscription",
        "AWS::CloudFront::CachePolicy",
        "AWS::CloudFront::Function",
        "AWS::CloudWatch::Dashboard",
      ]),
    );
    expect(Object.entries(one).filter(([path, name]) => two[path] === name)).toEqual([]);
  });

  test("no two stages in one account and region give one name to two resources", async () => {
    const [one, two] = [await first, await namesOf("two")];
    expect(Object.keys(one).length).toBeGreaterThan(5);
    const taken = new Set(Object.values(two));
    // A reference to another resource of its stack is written <LogicalId>: that is no name.
    const clashing = Object.entries(one).filter(([, name]) => taken.has(name) && !name.startsWith("<"));
    expect(clashing).toEqual([]);
  });
});
