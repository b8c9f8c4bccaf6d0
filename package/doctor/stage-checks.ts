import * as v from "valibot";
import { parseModelSpec } from "../../shared/schemas/values/model-spec.ts";
import { remedyOfRefusal } from "./aws/model-refusal.ts";
import { readXml } from "./aws/xml.ts";
import { type Check, messageOf, NotExamined, Problem } from "./check.ts";
import { issuerProblem } from "./issuer-problem.ts";
import { secretNames } from "./secret-names.ts";
import { configured, deployed, reachedAws, type StagePlace } from "./stage-place.ts";

/** AWS refuses signatures that are five minutes off; tokens are compared with the clock too. */
const CLOCK_SECONDS = 60;
/** What Lambda keeps for functions that reserve nothing. @source Lambda quotas */
const UNRESERVED = 100;
/** @source API Gateway developer guide, quotas of HTTP APIs: routes of an API */
const MOST_ROUTES = 300;

const Account = v.object({ AccountLimit: v.object({ ConcurrentExecutions: v.number() }) });
const Attributes = v.object({ Attributes: v.object({ ApproximateNumberOfMessages: v.string() }) });
const Secret = v.object({
  DeletedDate: v.optional(v.unknown()),
  VersionIdsToStages: v.optional(v.record(v.string(), v.array(v.string())), {}),
});

export const stageChecks: readonly Check<StagePlace>[] = [
  {
    name: "settings",
    asks: "Whether the settings of the stage can be deployed.",
    fails: "A setting is unknown, out of its bounds or lacks another one.",
    remedy: "Correct agent-platform.config.ts: docs/settings.md has the bounds of each setting.",
    isRequired: true,
    look: (place) => `stage ${place.config().stage}`,
  },
  {
    name: "credentials",
    asks: "Whether your AWS credentials are valid, and of which account and region they are.",
    fails: "There are none, they have expired, or no region is set.",
    remedy: "Sign in (aws sso login), or set AWS_PROFILE and AWS_REGION.",
    isRequired: true,
    look: async (place) => {
      const aws = await place.aws();
      const identity = await aws.query("sts", "GetCallerIdentity");
      return `account ${identity.text("Account") ?? "unknown"} in ${aws.region}, as ${identity.text("Arn") ?? "unknown"}`;
    },
  },
  {
    name: "clock",
    asks: `Whether this machine's clock is within ${CLOCK_SECONDS} seconds of AWS's.`,
    fails: "It is ahead or behind. AWS refuses requests that are signed five minutes off.",
    remedy: "Set the clock by NTP (timedatectl set-ntp true; on macOS: sntp -sS time.apple.com).",
    isRequired: true,
    look: async (place) => {
      const aws = await reachedAws(place);
      // Also a refusal has the date.
      await aws.query("sts", "GetCallerIdentity").catch(() => {});
      const ahead = aws.clockAhead();
      if (ahead === undefined) throw new NotExamined("AWS did not answer");
      const seconds = Math.round(ahead / 1000);
      const found = seconds === 0 ? "exact" : `${Math.abs(seconds)} s ${seconds > 0 ? "ahead" : "behind"}`;
      if (Math.abs(seconds) > CLOCK_SECONDS) throw new Problem(found);
      return found;
    },
  },
  {
    name: "stack",
    asks: "Whether the stage is deployed, and its last deployment succeeded.",
    fails: "There is no stack, or its last change failed or is under way.",
    remedy:
      "Deploy it. After a failure, the first failed event of the stack says why: aws cloudformation describe-stack-events --stack-name agent-platform-<stage>.",
    isRequired: true,
    look: async (place) => {
      await reachedAws(place);
      const { status } = await place.stack();
      if (status === "CREATE_COMPLETE" || status === "UPDATE_COMPLETE") return status;
      throw new Problem(status);
    },
  },
  {
    name: "issuers",
    asks: "Whether the keys of every issuer can be fetched, are a key set and fit its algorithms, and whether its metadata names the same issuer and keys.",
    fails: "Every token of this issuer is refused.",
    remedy: "Correct the setting jwtIssuers, or publish the keys.",
    isRequired: true,
    look: async (place) => {
      const { jwtIssuers, userPool } = configured(place);
      if (jwtIssuers.length === 0 && userPool !== "true")
        throw new Problem("none is configured, so every token is refused; service accounts work");
      const problems = await Promise.all(jwtIssuers.map(issuerProblem));
      const found = problems.filter((problem) => problem !== undefined);
      if (found.length > 0) throw new Problem(found.join("; "));
      const named = jwtIssuers.map(({ issuer, jwks_uri }) => issuer ?? jwks_uri ?? "fixed keys");
      return [...named, ...(userPool === "true" ? ["the deployment's own user pool"] : [])].join(", ");
    },
  },
  {
    name: "model",
    asks: "Whether the model of Bedrock answers, called with your credentials: one token. The first call of an account subscribes it. Of another provider only the secret is looked at (`secrets`) and the sample run calls it.",
    fails:
      "The account has not sent the use case form, lacks the subscription, the region lacks the model, or your rights do not suffice.",
    remedy: "docs/deploy.md#step-by-step, 2, shows what Bedrock asks for.",
    isRequired: true,
    look: async (place) => {
      const { model } = configured(place);
      const spec = parseModelSpec(model);
      if (spec?.provider !== "amazon-bedrock") return `${model}: left to the sample run`;
      const aws = await reachedAws(place);
      try {
        await aws.post("bedrock", `/model/${encodeURIComponent(spec.id)}/converse`, {
          messages: [{ role: "user", content: [{ text: "ok" }] }],
          inferenceConfig: { maxTokens: 1 },
        });
      } catch (error) {
        throw new Problem(`${spec.id}: ${messageOf(error)}`, remedyOfRefusal(error));
      }
      return `${spec.id} answers`;
    },
  },
  {
    name: "secrets",
    asks: "Whether every secret that the settings name is in Secrets Manager and has a value. The value is not read.",
    fails: "A secret is missing, empty or about to be deleted: what needs it fails at its first use.",
    remedy: "aws secretsmanager create-secret --name <name> --secret-string <value>, in the stage's region.",
    isRequired: true,
    look: async (place) => {
      const names = secretNames(configured(place));
      if (names.length === 0) return "none are named";
      const aws = await reachedAws(place);
      const problems = await Promise.all(
        names.map(async (SecretId) => {
          try {
            const found = v.parse(Secret, await aws.call("secretsmanager", "DescribeSecret", { SecretId }));
            if (found.DeletedDate !== undefined) return [`${SecretId} is about to be deleted`];
            const isFilled = Object.values(found.VersionIdsToStages).flat().includes("AWSCURRENT");
            return isFilled ? [] : [`${SecretId} has no value`];
          } catch (error) {
            return [`${SecretId}: ${messageOf(error)}`];
          }
        }),
      );
      if (problems.flat().length > 0) throw new Problem(problems.flat().join("; "));
      return names.join(", ");
    },
  },
  {
    name: "concurrency",
    asks: "Whether the account's concurrent executions of Lambda leave room beside the workers, and for what streamConcurrency reserves.",
    fails:
      "The workers can take all of them, and requests are refused with 429; or Lambda refuses the reservation, and with it the deployment.",
    remedy:
      "Ask Service Quotas for more (Lambda, Concurrent executions, L-B99A9384), and until then lower worker_concurrency: docs/deploy.md#accounts-with-10-concurrent-executions.",
    isRequired: true,
    look: async (place) => {
      const { worker_concurrency, streamConcurrency } = configured(place);
      const aws = await reachedAws(place);
      const answer = await aws.get("lambda", "/2016-08-19/account-settings");
      const limit = v.parse(Account, await answer.json()).AccountLimit.ConcurrentExecutions;
      const reserved = streamConcurrency ?? 0;
      const needed = reserved > 0 ? UNRESERVED + reserved : worker_concurrency + 1;
      const found = `${limit}, of which workers may take ${worker_concurrency}`;
      if (limit < needed) throw new Problem(`${found}; at least ${needed} are needed`);
      return found;
    },
  },
  {
    name: "routes",
    asks: `Whether the API has room for more routes: an API has ${MOST_ROUTES}.`,
    fails: "The next version may not deploy.",
    remedy:
      "Ask Service Quotas for more (API Gateway, Routes per HTTP API), or turn off interfaces that nothing uses.",
    isRequired: true,
    look: async (place) => {
      const { resources } = await deployed(place);
      const count = resources.filter(({ type }) => type === "AWS::ApiGatewayV2::Route").length;
      if (count >= MOST_ROUTES) throw new Problem(`${count} of ${MOST_ROUTES}`);
      return `${count} of ${MOST_ROUTES}`;
    },
  },
  {
    name: "CloudFront",
    asks: "Whether AWS has verified the account for CloudFront, and the distribution is deployed everywhere. An account that has a distribution is verified.",
    fails:
      "The distribution is still being deployed, or the account has none: then only making the first one shows whether AWS lets it.",
    remedy:
      'Wait until it is deployed. If the deployment fails with "Your account must be verified", open a case with AWS Support, and deploy with edge=http-api meanwhile.',
    isRequired: true,
    look: async (place) => {
      if (configured(place).edge !== "cloudfront") return "not used";
      const aws = await reachedAws(place);
      const stack = await place.stack().catch(() => undefined);
      const id = stack?.outputs.get("DistributionId");
      if (id === undefined) {
        const answer = await aws.get("cloudfront", "/2020-05-31/distribution?MaxItems=1");
        const list = await readXml(await answer.bytes());
        if (Number(list.text("Quantity")) > 0) return "the account has distributions";
        throw new NotExamined(
          "the account has no distribution yet, and AWS does not say whether it is verified",
        );
      }
      const answer = await aws.get("cloudfront", `/2020-05-31/distribution/${id}`);
      const status = (await readXml(await answer.bytes())).text("Status");
      if (status === "Deployed") return `${id} is deployed`;
      throw new Problem(`${id}: ${status ?? "unknown"}`);
    },
  },
  {
    name: "dead letters",
    asks: "Whether the dead-letter queues are empty.",
    fails: "Messages stay there: runs, slots of schedules or messages of chats that could not be handled.",
    remedy: "docs/operations.md#messages-stay-in-the-dead-letter-queue",
    isRequired: true,
    look: async (place) => {
      const { resources } = await deployed(place);
      const aws = await reachedAws(place);
      const queues = resources.filter(
        ({ type, id }) => type === "AWS::SQS::Queue" && id.includes("DeadLetters"),
      );
      const counted = await Promise.all(
        queues.map(async ({ name }) => {
          const input = { QueueUrl: name, AttributeNames: ["ApproximateNumberOfMessages"] };
          const { Attributes: found } = v.parse(
            Attributes,
            await aws.call("sqs", "GetQueueAttributes", input),
          );
          return { queue: name.split("/").at(-1) ?? name, count: Number(found.ApproximateNumberOfMessages) };
        }),
      );
      const filled = counted.filter(({ count }) => count > 0);
      if (filled.length === 0) return `${queues.length} queues, empty`;
      throw new Problem(filled.map(({ queue, count }) => `${queue} has ${count}`).join(", "));
    },
  },
  {
    name: "alarms",
    asks: "Whether an alarm of the stage is raised.",
    fails: "Alarms are raised; each has its section in docs/operations.md.",
    remedy: "docs/operations.md has what to do about each.",
    isRequired: true,
    look: async (place) => {
      const service = await deployed(place);
      const { userPool } = configured(place);
      const users = userPool === "true" ? await place.users() : undefined;
      const own = [...service.resources, ...(users?.resources ?? [])]
        .filter(({ type }) => type === "AWS::CloudWatch::Alarm")
        .map(({ name }) => name);
      const aws = await reachedAws(place);
      const answer = await aws.query("monitoring", "DescribeAlarms", {
        AlarmNamePrefix: `agent-platform-${place.stage}-`,
        StateValue: "ALARM",
        MaxRecords: "100",
      });
      const raised = answer
        .list("MetricAlarms")
        .filter((alarm) => own.includes(alarm.text("AlarmName") ?? ""));
      if (raised.length > 0)
        throw new Problem(
          raised
            .map((alarm) => alarm.text("AlarmDescription") || alarm.text("AlarmName") || "an alarm")
            .join(" "),
        );
      const { alarmEmail, alarmTopicArn } = configured(place);
      const isNotified = alarmEmail !== undefined || alarmTopicArn !== undefined;
      return `${own.length}, none raised${isNotified ? "" : "; they notify no one: set alarmEmail"}`;
    },
  },
];
