import * as v from "valibot";
import { choice, eachOf, jsonObject, matching, number, onOff, text, texts, whole, yesNo } from "../forms.ts";
import type { Settings } from "../setting.ts";
import { Retained } from "../values/retained.ts";

/** Retention periods that CloudWatch Logs supports, in days. */
const logRetentions = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

const arn = (service: string, what: string) =>
  matching("an ARN", new RegExp(`^arn:[a-z-]+:${service}:`), `must be the ARN of ${what}`);

/** On one's own machine an identity provider may do without TLS. */
const isIssuer = (address: string): boolean =>
  URL.canParse(address) && /^(https:|http:\/\/(127\.0\.0\.1|localhost)[:/])/.test(address);

/** Ids of one kind, at least one. */
const ids = (what: string, one: RegExp) =>
  texts(
    `ids of ${what}, in a list or separated by commas`,
    v.pipe(
      eachOf(v.pipe(v.string(), v.regex(one, `must be ids of ${what}`))),
      v.minLength(1, `must be ids of ${what}`),
    ),
  );

/** What templates alone depend on: alarms, the console, the entry point, encryption, the network. */
export const deployment = {
  /** your SNS topic, which every alarm notifies */
  alarmTopicArn: { form: arn("sns", "an SNS topic") },
  /**
   * address that every alarm notifies, by a topic that the deployment creates; the first mail asks for a confirmation
   */
  alarmEmail: { form: text("a mail address", v.pipe(v.string(), v.email("must be a mail address"))) },
  /**
   * dollars: an alarm is raised when the models of all runs cost more than this in an hour. Without it there is none; it needs
   * prices of the models (`modelPrices`)
   */
  alarmCostPerHour: { form: number({ min: 0 }) },
  /**
   * dollars a month that the AWS account may cost: with it a budget of AWS notifies at 80 % of what was spent and at 100 % of what
   * is expected, and unusual costs above a tenth of it are reported; it needs `alarmEmail` or `alarmTopicArn`, see
   * [deploying](deploy.md#what-may-be-spent)
   */
  costAlarmUsd: { form: number({ min: 1 }) },
  /**
   * cost monitor of the account that is used for unusual costs, where there is one: AWS allows one for all services, and makes it
   * itself in newer accounts
   */
  costMonitorArn: { form: arn("ce", "an anomaly monitor") },
  /** whether the [console](guide/console.md) is served at `/console` */
  console: { variable: "CONSOLE", form: onOff, default: "on" },
  /**
   * identity provider at which the console signs users in (OpenID Connect); `jwtIssuers` must accept its tokens. Without it
   * the pool of `userPool=true`, else a pasted token
   */
  consoleIssuer: {
    variable: "CONSOLE_ISSUER",
    form: text(
      "an https address",
      v.pipe(v.string(), v.check(isIssuer, "must be the https address of an identity provider")),
    ),
  },
  /** id of the console as a public client of `consoleIssuer`, with `<address>/console` as the callback */
  consoleClientId: {
    variable: "CONSOLE_CLIENT_ID",
    form: text("not empty", v.pipe(v.string(), v.nonEmpty("must not be empty"))),
  },
  /** what the console calls this deployment, such as `Production`: in its frame, at sign-in and in the titles of its pages */
  consoleName: {
    variable: "CONSOLE_NAME",
    form: text(
      "up to 40 characters",
      v.pipe(
        v.string(),
        v.trim(),
        v.nonEmpty("must not be empty"),
        v.maxLength(40, "must have at most 40 characters"),
      ),
    ),
  },
  /** colour of the console's frame, by which deployments are distinguished at a glance */
  consoleColour: { variable: "CONSOLE_COLOUR", form: choice("green", "blue", "yellow", "red") },
  /**
   * what the console asks the identity provider for; many give a refresh token for `openid offline_access`, by which connected apps are
   * checked, see [sign-in](guide/mcp.md#sign-in)
   */
  consoleScope: {
    variable: "CONSOLE_SCOPE",
    form: matching(
      "scopes, separated by one blank",
      /^[\x21-\x7e]+( [\x21-\x7e]+)*$/,
      "must be scopes, separated by one blank",
    ),
    default: "openid",
  },
  /**
   * the entry point for clients. `http-api` leaves out CloudFront and the streaming functions: responses are buffered and
   * take half a minute at most, see [deploying](deploy.md#without-cloudfront)
   */
  edge: { variable: "EDGE", form: choice("cloudfront", "http-api"), default: "cloudfront" },
  /** domain name of the service, see [deploying](deploy.md#a-name-of-your-own) */
  domainName: {
    form: matching("a domain name", /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, "must be a domain name"),
  },
  /**
   * certificate for it, in Certificate Manager: of us-east-1 for CloudFront, of the deployment's region for `http-api`
   */
  certificateArn: { form: arn("acm", "a certificate") },
  /**
   * id or ARN of a registry of AWS Agent Registry: a record of the MCP server, and one of each component of the code where A2A is served,
   * say there where they are
   */
  agentRegistry: {
    form: matching(
      "a registry of AWS Agent Registry",
      /^(arn:aws[\w-]*:agent-registry:[\w-]+:\d{12}:registry\/)?[A-Za-z0-9]{12,16}$/,
      "must be the id or ARN of a registry",
    ),
  },
  /** web ACL of AWS WAF before CloudFront, a global one. It costs money every hour */
  webAclArn: { form: arn("wafv2", "a web ACL") },
  /**
   * encrypts tables, objects, vectors, queues and logs with a KMS key of the account's own, see
   * [deploying](deploy.md#a-key-of-your-own). It costs money every hour
   */
  customerKey: { form: yesNo, default: "false" },
  /**
   * data that an earlier deployment of the stage left, for this one to [take over](deploy.md#taking-over-what-was-kept), by
   * the names that it has: `{"tables": {"jobs": "agent-platform-prod-data-JobsDF1CC2D4-1X2Y", …}, "objects": "…",
   * "vectors": "…", "key": "arn:aws:kms:…"}`
   */
  retained: { form: jsonObject(Retained), default: "{}" },
  /** managed policy that is the permissions boundary of every role of the deployment */
  permissionsBoundary: { form: arn("iam", "a managed policy") },
  /**
   * VPC that the functions which execute tools join, with `vpcSubnetIds`; see [deploying](deploy.md#tools-in-your-vpc).
   * Locally it is ignored
   */
  vpcId: { form: matching("the id of a VPC", /^vpc-[0-9a-f]{8,17}$/, "must be the id of a VPC") },
  /** subnets of `vpcId` in which these functions have their network interfaces; private ones */
  vpcSubnetIds: { form: ids("subnets", /^subnet-[0-9a-f]{8,17}$/) },
  /**
   * security groups of these functions; without them the deployment makes one that lets everything out, and its id is the
   * output `ToolSecurityGroupId`
   */
  vpcSecurityGroupIds: { form: ids("security groups", /^sg-[0-9a-f]{8,17}$/) },
  /**
   * indexes that this deployment leaves to a later one: DynamoDB adds one for each update of a table
   * ([upgrading](releases.md#indexes))
   */
  withoutIndexes: {
    form: texts("names of indexes, such as `runs.by_owner`, separated by commas", eachOf(v.string())),
  },
  /**
   * write units a second that the tables of jobs, runs and sessions and their indexes take at once, reads thrice as many; without it
   * what AWS gives a new table, 4,000. AWS charges for it once, and refuses a lower number later
   * ([how far it scales](scale.md#a-start-at-full-rate))
   */
  warmWrites: { form: whole(4_000, 40_000) },
  /**
   * event pollers that always read the queue of runs (the event source's provisioned mode): each calls ten worker functions at once,
   * so `worker_concurrency` must be at least ten times as much. Without it AWS reads as often as there is work, for nothing; with it
   * each poller costs money every hour ([how far it scales](scale.md#pollers-of-your-own))
   */
  queuePollers: { form: whole(2, 200) },
  /**
   * how a new version of the worker takes over. `canary` gives it a tenth of the messages for ten minutes, and goes back to the
   * version before when it crashes or runs out of time; the deployment then fails and is rolled back
   * ([deploying](deploy.md#a-new-version-for-a-tenth-first))
   */
  workerRollout: { form: choice("at-once", "canary"), default: "at-once" },
  /** how long logs are kept */
  logRetentionDays: {
    form: text(
      "a number of days that CloudWatch knows: 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, …",
      v.pipe(
        v.string(),
        v.transform(Number),
        v.picklist(logRetentions, `must be one of ${logRetentions.join(", ")}`),
      ),
    ),
    default: "30",
  },
  /**
   * whether functions send traces of their invocations to X-Ray; the first 100,000 traces of a month are free, the
   * sweeper's among them
   */
  xray: { form: onOff, default: "on" },
} as const satisfies Settings;
