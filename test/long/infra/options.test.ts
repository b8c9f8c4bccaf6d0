import { describe, expect, test } from "vitest";
import { cloudModel } from "../../../local/template/cloud-model.ts";
import { type Resource, type Synthesized, synthesized } from "../../infra/synthesized.ts";

const boundary = "arn:aws:iam::123456789012:policy/limits";
const certificate = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1b7a`;
const webAclArn = "arn:aws:wafv2:us-east-1:123456789012:global/webacl/limits/4711";

const plain = await synthesized({ stage: "prod" });
const direct = await synthesized({
  stage: "prod",
  edge: "http-api",
  domainName: "agents.example.com",
  certificateArn: certificate("eu-west-1"),
  customerKey: "true",
  userPool: "true",
  logRetentionDays: 90,
  xray: "off",
});
const named = await synthesized({
  stage: "prod",
  domainName: "agents.example.com",
  certificateArn: certificate("us-east-1"),
  webAclArn,
  permissionsBoundary: boundary,
  alarmEmail: "ops@example.com",
  telegram: { component: "agents/assistant" },
});

const only = (app: Synthesized, type: string): Resource => {
  const [found, ...others] = app.ofType(type);
  if (!found || others.length > 0) throw new Error(`expected one ${type}`);
  return found;
};
const distributionOf = (app: Synthesized) =>
  only(app, "AWS::CloudFront::Distribution").properties.DistributionConfig;
const outputOf = (app: Synthesized, name: string) =>
  (app.outputs[name] as { Value: string } | undefined)?.Value;
const policiesOf = (
  app: Synthesized,
): { Action: string | string[]; Resource: unknown; Condition?: unknown }[] =>
  app.ofType("AWS::IAM::Policy").flatMap(({ properties }) => properties.PolicyDocument.Statement);

describe("the secret between CloudFront and its origins", () => {
  const reference = "{{resolve:secretsmanager:<EdgeSecretD6EFDDB8>:SecretString:current::}}";
  const idOf = (app: Synthesized) => only(app, "AWS::SecretsManager::Secret").id;

  test("is sent to every origin, by a reference: the template holds no value", () => {
    const { Origins } = distributionOf(plain);
    expect(Origins.length).toBeGreaterThan(1);
    for (const { OriginCustomHeaders } of Origins)
      expect(OriginCustomHeaders).toEqual([
        {
          HeaderName: "x-origin-secret",
          HeaderValue: reference.replace("EdgeSecretD6EFDDB8", idOf(plain)),
        },
      ]);
    expect(only(plain, "AWS::SecretsManager::Secret").properties.SecretString).toBeUndefined();
  });

  test("is read by the authorizer and by every function with an address of its own, and by no other", () => {
    const functions = plain.ofType("AWS::Lambda::Function");
    const named = functions.filter(({ variables }) => variables.EDGE_SECRET);
    const addressed = plain
      .ofType("AWS::Lambda::Url")
      .map(({ properties }) => String(properties.TargetFunctionArn).replace(/^<|>.*$/g, ""));
    const authorizer = functions.find(({ id }) => id.startsWith("AuthorizerFunction"))?.id;
    expect(named.map(({ id }) => id).toSorted()).toEqual([...addressed, authorizer].toSorted());
    const readers = policiesOf(plain).filter(
      ({ Action, Resource }) =>
        [Action].flat().includes("secretsmanager:GetSecretValue") &&
        JSON.stringify(Resource).includes(`<${idOf(plain)}>`),
    );
    expect(readers).toHaveLength(named.length);
  });

  test("does not exist where clients call the HTTP API itself", () => {
    expect(direct.ofType("AWS::SecretsManager::Secret")).toEqual([]);
    const values = direct.ofType("AWS::Lambda::Function").map(({ properties }) => JSON.stringify(properties));
    expect(values.filter((text) => text.includes("EDGE_SECRET"))).toEqual([]);
  });
});

describe("the limit of streams", () => {
  const reserved = (app: Synthesized) =>
    app.ofType("AWS::Lambda::Function").flatMap(({ id, properties }) => {
      const limit = properties.ReservedConcurrentExecutions;
      return limit === undefined ? [] : [[id.replace(/[0-9A-F]{8}$/, ""), limit]];
    });

  test("is not set by default: an account with the limit of 10 could not deploy", () => {
    expect(reserved(plain)).toEqual([]);
  });

  test("is set for the functions that stream, and for no other", async () => {
    const limited = await synthesized({ stage: "prod", a2a: "true", streamConcurrency: "40" });
    expect(Object.fromEntries(reserved(limited))).toEqual({ RunsStream: 40, A2aStream: 40 });
  });
});

describe("without CloudFront", () => {
  test("nothing streams, and the HTTP API is the address of the service", () => {
    expect(direct.ofType("AWS::CloudFront::Distribution")).toEqual([]);
    expect(direct.ofType("AWS::Lambda::Url")).toEqual([]);
    const entries = direct.ofType("AWS::Lambda::Function").map(({ properties }) => properties.Handler);
    expect(entries).not.toContain("index.stream");
    expect(outputOf(direct, "BaseUrl")).toBe("https://agents.example.com");
  });

  test("every route is there all the same", () => {
    const keys = ({ ofType }: Synthesized) =>
      ofType("AWS::ApiGatewayV2::Route").map(({ properties }) => properties.RouteKey);
    expect(keys(direct)).toEqual(keys(plain));
  });

  test("its name belongs to the HTTP API", () => {
    const domain = only(direct, "AWS::ApiGatewayV2::DomainName");
    expect(domain.properties).toMatchObject({ DomainName: "agents.example.com" });
    expect(only(direct, "AWS::ApiGatewayV2::ApiMapping").properties.DomainName).toBe(`<${domain.id}>`);
    expect(outputOf(direct, "BaseUrl")).toBe("https://agents.example.com");
    expect(outputOf(direct, "DomainTarget")).toContain(domain.id);
  });
});

describe("the local platform", () => {
  const entryPointsOf = ({ stacks }: Synthesized) =>
    cloudModel(stacks, "http://127.0.0.1:1").edge.behaviours.map(({ pathPattern, target }) =>
      target === "api" ? target : `${pathPattern} to ${target.exportName}`,
    );

  test("has both entry points where CloudFront has, whatever else is chosen", () => {
    expect(
      entryPointsOf(plain).filter((entryPoint) => entryPoint.endsWith(" to stream")).length,
    ).toBeGreaterThan(0);
    expect(entryPointsOf(plain).at(-1)).toBe("api");
    expect(entryPointsOf(named)).toEqual(entryPointsOf(plain));
  });

  test("has the HTTP API alone where there is no CloudFront", () => {
    expect(entryPointsOf(direct)).toEqual(["api"]);
  });
});

describe("a name of the owner's", () => {
  test("is CloudFront's, with a floor for TLS", () => {
    expect(distributionOf(named)).toMatchObject({
      Aliases: ["agents.example.com"],
      ViewerCertificate: {
        AcmCertificateArn: certificate("us-east-1"),
        MinimumProtocolVersion: "TLSv1.2_2021",
        SslSupportMethod: "sni-only",
      },
    });
  });

  test("is what outputs, webhooks and the cards of agents show", () => {
    expect(outputOf(named, "BaseUrl")).toBe("https://agents.example.com");
    expect(outputOf(named, "DomainTarget")).toMatch(/^<Edge\w+>\.DomainName$/);
    expect(outputOf(named, "TelegramWebhookUrl")).toBe("https://agents.example.com/telegram/webhook");
    expect(outputOf(plain, "TelegramWebhookUrl")).toBeUndefined();
    expect(outputOf(plain, "DomainTarget")).toBeUndefined();
  });
});

test("a firewall is named to CloudFront, and none is there unless it is", () => {
  expect(distributionOf(named).WebACLId).toBe(webAclArn);
  expect(distributionOf(plain).WebACLId).toBeUndefined();
});

test("a boundary is put around every role", () => {
  for (const { id, properties } of named.ofType("AWS::IAM::Role")) {
    expect(properties.PermissionsBoundary, id).toBe(boundary);
  }
});

describe("mail of alarms", () => {
  test("comes by a topic that CloudWatch of this account alone may write to, and only over TLS", () => {
    const topic = only(named, "AWS::SNS::Topic");
    expect(only(named, "AWS::SNS::Subscription").properties).toEqual({
      Endpoint: "ops@example.com",
      Protocol: "email",
      TopicArn: `<${topic.id}>`,
    });
    const { Statement } = only(named, "AWS::SNS::TopicPolicy").properties.PolicyDocument;
    expect(Statement).toHaveLength(2);
    expect(Statement).toContainEqual(
      expect.objectContaining({
        Effect: "Allow",
        Action: "sns:Publish",
        Principal: { Service: "cloudwatch.amazonaws.com" },
        Condition: { StringEquals: { "aws:SourceAccount": "<AWS::AccountId>" } },
      }),
    );
    expect(Statement).toContainEqual(
      expect.objectContaining({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
    );
  });

  test("is asked for by every alarm, by the topic's name", () => {
    const { TopicName } = only(named, "AWS::SNS::Topic").properties;
    for (const { properties } of named.ofType("AWS::CloudWatch::Alarm")) {
      expect(properties.AlarmActions).toEqual([
        `arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>:${TopicName}`,
      ]);
    }
  });
});

describe("a key of the owner's", () => {
  const isKey = (reference: unknown): boolean => /[<:]\w*Key\w+/.test(String(reference));

  test("encrypts every table, queue, log group and bucket", () => {
    for (const { id, properties } of direct.ofType("AWS::DynamoDB::GlobalTable")) {
      expect(properties.SSESpecification, id).toEqual({ SSEEnabled: true, SSEType: "KMS" });
      expect(isKey(properties.Replicas[0].SSESpecification.KMSMasterKeyId), id).toBe(true);
    }
    for (const { id, properties } of direct.ofType("AWS::SQS::Queue")) {
      expect(isKey(properties.KmsMasterKeyId), id).toBe(true);
    }
    for (const { id, properties } of direct.ofType("AWS::Logs::LogGroup")) {
      expect(isKey(properties.KmsKeyId), id).toBe(true);
    }
    const [rule] = only(direct, "AWS::S3::Bucket").properties.BucketEncryption
      .ServerSideEncryptionConfiguration;
    expect(rule.BucketKeyEnabled).toBe(true);
    expect(isKey(rule.ServerSideEncryptionByDefault.KMSMasterKeyID)).toBe(true);
    const vectors = only(direct, "AWS::S3Vectors::VectorBucket").properties.EncryptionConfiguration;
    expect(isKey(vectors.KmsKeyArn)).toBe(true);
  });

  test("turns every year, and stays with the data", () => {
    const key = only(direct, "AWS::KMS::Key");
    expect(key.properties.EnableKeyRotation).toBe(true);
    expect(key.removal).toBe("RetainExceptOnCreate");
  });

  test("is used through the services that keep the data, and by no role directly", () => {
    const uses = policiesOf(direct).filter(({ Action }) =>
      [Action].flat().some((one) => one.startsWith("kms:")),
    );
    expect(uses.length).toBeGreaterThan(20);
    for (const { Action, Resource, Condition } of uses) {
      expect([Action].flat().filter((one) => /[*]/.test(one))).toEqual([]);
      expect(isKey(Resource)).toBe(true);
      expect(Condition).toEqual({
        StringEquals: {
          "kms:ViaService": ["dynamodb", "s3", "s3vectors", "sqs"].map(
            (service) => `${service}.<AWS::Region>.amazonaws.com`,
          ),
        },
      });
    }
  });

  test("is not there unless it is asked for", () => {
    expect(plain.ofType("AWS::KMS::Key")).toEqual([]);
    expect(plain.ofType("AWS::SQS::Queue").every(({ properties }) => !properties.KmsMasterKeyId)).toBe(true);
  });
});

test("logs are kept for as long as it says, and for a month where nothing is said", () => {
  const kept = (app: Synthesized) => [
    ...new Set(app.ofType("AWS::Logs::LogGroup").map(({ properties }) => properties.RetentionInDays)),
  ];
  expect(kept(direct)).toEqual([90]);
  expect(kept(plain)).toEqual([30]);
});

test("functions report to X-Ray their invocations unless they shall not, and need leave for that alone", () => {
  const modes = (app: Synthesized) => [
    ...new Set(app.ofType("AWS::Lambda::Function").map(({ properties }) => properties.TracingConfig?.Mode)),
  ];
  const leaves = (app: Synthesized) =>
    policiesOf(app).filter(({ Action }) => [Action].flat().some((one) => one.startsWith("xray:")));
  expect(modes(plain)).toEqual(["Active"]);
  expect(leaves(plain)).toHaveLength(plain.ofType("AWS::Lambda::Function").length);
  expect(modes(direct)).toEqual([undefined]);
  expect(leaves(direct)).toEqual([]);
});
