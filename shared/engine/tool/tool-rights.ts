/** Rights at AWS that a tool needs: actions such as `dynamodb:GetItem`, on resources that are named by ARNs. */
export type ToolPermission = { readonly actions: readonly string[]; readonly resources: readonly string[] };

/** What a tool needs from outside of its code. */
export type ToolRights = {
  /** Names of secrets, such as `STRIPE_KEY`; `execute` gets their values in `context.secrets`. */
  readonly secrets?: readonly string[];
  readonly permissions?: readonly ToolPermission[];
};

const SECRET = /^[A-Z][A-Z0-9_]*$/;
const ACTION = /^[a-z0-9-]+:[A-Za-z0-9]+$/;
const ARN = /^arn:(aws|aws-cn|aws-us-gov):[a-z0-9-]+:[a-z0-9-]*:(\d{12})?:[^\s*].*$/;

/**
 * Actions that AWS checks against no resource: a policy can allow them on `*` alone.
 *
 * @source AWS Service Authorization Reference, the actions without an entry under "Resource types"
 */
const withoutResources: ReadonlySet<string> = new Set([
  "ce:GetCostAndUsage",
  "cloudwatch:GetMetricData",
  "cloudwatch:GetMetricStatistics",
  "cloudwatch:ListMetrics",
  "cloudwatch:PutMetricData",
  "comprehend:BatchDetectSentiment",
  "comprehend:DetectDominantLanguage",
  "comprehend:DetectKeyPhrases",
  "comprehend:DetectPiiEntities",
  "comprehend:DetectSentiment",
  "ec2:DescribeInstances",
  "ec2:DescribeRegions",
  "polly:DescribeVoices",
  "pricing:GetProducts",
  "rekognition:DetectFaces",
  "rekognition:DetectLabels",
  "rekognition:DetectModerationLabels",
  "rekognition:DetectText",
  "s3:ListAllMyBuckets",
  "sts:GetCallerIdentity",
  "textract:AnalyzeDocument",
  "textract:AnalyzeExpense",
  "textract:DetectDocumentText",
  "transcribe:StartTranscriptionJob",
  "translate:TranslateText",
]);

/**
 * Refuses rights that cannot be granted, or would grant more than their author can mean.
 *
 * @param who  as the message names it: `the tool charge_card`
 * @throws Error that says what to write instead
 */
export function checkRights(who: string, { secrets = [], permissions = [] }: ToolRights): void {
  for (const name of secrets) {
    if (SECRET.test(name)) continue;
    throw new Error(
      `${who}: the secret "${name}" must have a name of capital letters, digits and underscores that begins with a letter, such as STRIPE_KEY.`,
    );
  }
  const twice = secrets.find((name, i) => secrets.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`${who} declares the secret ${twice} twice.`);
  for (const permission of permissions) checkPermission(who, permission);
}

function checkPermission(who: string, { actions, resources }: ToolPermission): void {
  if (actions.length === 0 || resources.length === 0) {
    throw new Error(`${who}: a permission needs at least one action and one resource.`);
  }
  const action = actions.find((one) => !ACTION.test(one));
  if (action !== undefined) {
    throw new Error(
      `${who}: the action "${action}" must be one action of one service, such as dynamodb:GetItem. With a * every run of every agent could do what the tool never needs; list the actions one by one.`,
    );
  }
  for (const resource of resources) checkResource(who, actions, resource);
}

function checkResource(who: string, actions: readonly string[], resource: string): void {
  if (resource === "*") {
    const other = actions.find((action) => !withoutResources.has(action));
    if (other === undefined) return;
    throw new Error(
      `${who}: the resource "*" would allow ${other} on everything in the account, to every run of every agent. Name the resources by their ARNs. "*" is for actions that AWS checks against no resource, in a permission of their own; if ${other} is one, it is missing in shared/engine/tool/tool-rights.ts.`,
    );
  }
  if (ARN.test(resource)) return;
  throw new Error(
    `${who}: the resource "${resource}" must be an ARN that names what the tool uses, such as arn:aws:dynamodb:eu-central-1:123456789012:table/orders.`,
  );
}
