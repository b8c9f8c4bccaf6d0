/** How a resource of a service is named in a statement. */
export type Named = {
  /** Of the statement. */
  readonly sid: string;
  readonly resources: readonly string[];
  readonly condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
};

const at = (service: string, rest: string): string => `arn:aws:${service}:REGION:ACCOUNT:${rest}`;

const functions: Named = { sid: "Functions", resources: [at("lambda", "function:agent-platform-*")] };
/** A mapping has an id of AWS's choice; the function that it calls is ours. Requests about its tags do not name the function. */
const mappings: Named = {
  sid: "EventSources",
  resources: [at("lambda", "event-source-mapping:*")],
  condition: { ArnLikeIfExists: { "lambda:FunctionArn": at("lambda", "function:agent-platform-*") } },
};
const newMappings: Named = {
  sid: "NewEventSources",
  resources: ["*"],
  condition: { ArnLike: { "lambda:FunctionArn": at("lambda", "function:agent-platform-*") } },
};
const roles: Named = { sid: "Roles", resources: ["arn:aws:iam::ACCOUNT:role/agent-platform-*"] };
/**
 * What does not fit into a role's own policy. Not every policy of the project's: the role that deploys must be able to change
 * neither its own ones nor a boundary.
 */
const overflowPolicies = "arn:aws:iam::ACCOUNT:policy/agent-platform-*OverflowPolicy*";
const policies: Named = { sid: "Policies", resources: [overflowPolicies] };
/** AWS's own, with which CodeDeploy changes an alias. */
const rolloutPolicy = "arn:aws:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited";
const attachments: Named = {
  sid: "AttachPolicies",
  resources: roles.resources,
  condition: { ArnLike: { "iam:PolicyARN": [overflowPolicies, rolloutPolicy] } },
};
const apis: Named = {
  sid: "Apis",
  resources: ["apis*", "domainnames*", "tags/*"].map((path) => `arn:aws:apigateway:REGION::/${path}`),
};
/** A registry is the account's own, and a record has an id of AWS's choice below it. */
const registries: Named = { sid: "Registries", resources: [at("agent-registry", "registry/*")] };
const buckets: Named = { sid: "Buckets", resources: ["arn:aws:s3:::agent-platform-*"] };
const users: Named = { sid: "UserPools", resources: [at("cognito-idp", "userpool/*")] };
/** Both the alias and its key are asked for. */
const aliases: Named = {
  sid: "KeyAliases",
  resources: [at("kms", "alias/agent-platform-*"), at("kms", "key/*")],
};
const keys: Named = { sid: "Keys", resources: [at("kms", "key/*")] };
const alarms: Named = { sid: "Alarms", resources: [at("cloudwatch", "alarm:agent-platform-*")] };
const dashboards: Named = {
  sid: "Dashboards",
  resources: ["arn:aws:cloudwatch::ACCOUNT:dashboard/agent-platform-*"],
};
/** Their ids are of AWS's choice. */
const anomalies: Named = {
  sid: "CostAnomalies",
  resources: ["anomalymonitor/*", "anomalysubscription/*"].map((name) => `arn:aws:ce::ACCOUNT:${name}`),
};
const distributions: Named = {
  sid: "Distributions",
  resources: ["arn:aws:cloudfront::ACCOUNT:distribution/*"],
};
const edgeFunctions: Named = {
  sid: "EdgeFunctions",
  resources: ["arn:aws:cloudfront::ACCOUNT:function/agent-platform-*"],
};

/** Groups and their rules have ids of AWS's choice; the network is the account's own. */
const securityGroups: Named = {
  sid: "SecurityGroups",
  resources: ["security-group/*", "security-group-rule/*", "vpc/*"].map((name) => at("ec2", name)),
};

/**
 * By `service:resource`, as the service authorization reference names resources: our own by the prefix that every name of
 * ours has, the others as narrow as AWS's choice of names allows.
 */
export const resourceNames: Readonly<Record<string, readonly Named[]>> = {
  "agent-registry:registry": [registries],
  "agent-registry:registry-record": [registries],
  "apigateway:*": [apis],
  // A stack in a stack is named like the one that it is in.
  "budgets:budget": [
    { sid: "AccountBudgets", resources: ["arn:aws:budgets::ACCOUNT:budget/agent-platform-*"] },
  ],
  "ce:anomalymonitor": [anomalies],
  "ce:anomalysubscription": [anomalies],
  "cloudformation:stack": [
    { sid: "NestedStacks", resources: [at("cloudformation", "stack/agent-platform-*")] },
  ],
  "cloudfront:cache-policy": [
    { sid: "CachePolicies", resources: ["arn:aws:cloudfront::ACCOUNT:cache-policy/*"] },
  ],
  "cloudfront:distribution": [distributions],
  "cloudfront:function": [edgeFunctions],
  "cloudwatch:alarm": [alarms],
  "cloudwatch:dashboard": [dashboards],
  "cognito-idp:userpool": [users],
  "dynamodb:table": [{ sid: "Tables", resources: [at("dynamodb", "table/agent-platform-*")] }],
  "ec2:security-group": [securityGroups],
  "iam:policy": [policies],
  "iam:role": [roles],
  "kms:key": [keys],
  "codedeploy:application": [
    { sid: "Rollouts", resources: [at("codedeploy", "application:agent-platform-*")] },
  ],
  "codedeploy:deploymentgroup": [
    { sid: "RolloutGroups", resources: [at("codedeploy", "deploymentgroup:agent-platform-*")] },
  ],
  "codedeploy:deploymentconfig": [
    { sid: "RolloutConfigs", resources: [at("codedeploy", "deploymentconfig:*")] },
  ],
  "lambda:eventSourceMapping": [mappings],
  "lambda:function": [functions],
  "lambda:function alias": [functions],
  "logs:log-group": [{ sid: "LogGroups", resources: [at("logs", "log-group:agent-platform-*")] }],
  "s3:bucket": [buckets],
  "s3vectors:VectorBucket": [
    { sid: "VectorBuckets", resources: [at("s3vectors", "bucket/agent-platform-*")] },
  ],
  // Timers are named like the project in the default group; users' entries are in a group that is.
  "scheduler:schedule": [
    {
      sid: "Schedules",
      resources: [
        at("scheduler", "schedule/*/agent-platform-*"),
        at("scheduler", "schedule/agent-platform-*/*"),
      ],
    },
  ],
  "scheduler:schedule-group": [
    { sid: "ScheduleGroups", resources: [at("scheduler", "schedule-group/agent-platform-*")] },
  ],
  "secretsmanager:Secret": [{ sid: "Secrets", resources: [at("secretsmanager", "secret:agent-platform-*")] }],
  "sns:topic": [{ sid: "Topics", resources: [at("sns", "agent-platform-*")] }],
  "sqs:queue": [{ sid: "Queues", resources: [at("sqs", "agent-platform-*")] }],
};

const webAcls: Named = { sid: "WebAcls", resources: ["arn:aws:wafv2:us-east-1:ACCOUNT:global/webacl/*"] };
const anything: Named = { sid: "NotNamed", resources: ["*"] };

/** Actions whose resource is another than the reference lets one expect, with the reason. */
export const ownNames: Readonly<Record<string, readonly Named[]>> = {
  // Only to what functions and schedules are run by.
  "iam:PassRole": [
    {
      sid: "PassRoles",
      resources: roles.resources,
      condition: {
        StringEquals: {
          "iam:PassedToService": [
            "lambda.amazonaws.com",
            "scheduler.amazonaws.com",
            "codedeploy.amazonaws.com",
          ],
        },
      },
    },
  ],
  "iam:AttachRolePolicy": [attachments],
  "iam:DetachRolePolicy": [attachments],
  "iam:CreateServiceLinkedRole": [
    {
      sid: "RoleOfApiGateway",
      resources: ["arn:aws:iam::ACCOUNT:role/aws-service-role/ops.apigateway.amazonaws.com/*"],
      condition: { StringEquals: { "iam:AWSServiceName": "ops.apigateway.amazonaws.com" } },
    },
  ],
  // A subscription is no resource of policies.
  "sns:Unsubscribe": [anything],
  "sns:GetSubscriptionAttributes": [anything],
  "sns:SetSubscriptionAttributes": [anything],
  // The code of functions and the template of the nested stack, where bootstrapping keeps them.
  "s3:GetObject": [{ sid: "Code", resources: ["arn:aws:s3:::cdk-hnb659fds-assets-ACCOUNT-REGION/*"] }],
  "s3:GetObjectVersion": [{ sid: "Code", resources: ["arn:aws:s3:::cdk-hnb659fds-assets-ACCOUNT-REGION/*"] }],
  "ssm:GetParameters": [
    {
      sid: "Bootstrapped",
      resources: [at("ssm", "parameter/cdk-bootstrap/hnb659fds/version")],
    },
  ],
  "wafv2:AssociateWebACL": [webAcls],
  "wafv2:DisassociateWebACL": [webAcls],
  "wafv2:GetWebACL": [webAcls],
  "lambda:InvokeFunction": [functions],
  "lambda:CreateEventSourceMapping": [newMappings],
  "kms:CreateAlias": [aliases],
  "kms:DeleteAlias": [aliases],
  "kms:UpdateAlias": [aliases],
  "cloudwatch:PutMetricAlarm": [alarms],
  "cloudwatch:PutMetricData": [anything],
  "application-autoscaling:Describe*": [anything],
  "dynamodb:Describe*": [{ sid: "Tables", resources: [at("dynamodb", "table/agent-platform-*")] }],
  // No entries of the reference; the handlers name them, and the API asks for them.
  "apigateway:TagResource": [apis],
  "apigateway:UntagResource": [apis],
};
