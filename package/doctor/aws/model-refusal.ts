import { AwsError } from "./aws-api.ts";

/** What Bedrock's refusals mean, by what they say: the first that fits. */
const meanings: readonly (readonly [refused: RegExp, remedy: string])[] = [
  [
    /use case details/i,
    "Anthropic asks for a use case, once an account or once for the organization: open the model in the model catalog of the Bedrock console, fill in and send the form it shows, and try again after 15 minutes.",
  ],
  [
    /marketplace|subscri/i,
    "The first call subscribes the account to the model. Make it with rights to aws-marketplace:Subscribe, aws-marketplace:ViewSubscriptions and bedrock:InvokeModel: open the model in the model catalog of the Bedrock console and send it a sentence. The subscription is complete after 15 minutes at most.",
  ],
  [
    /on-demand throughput isn.t supported/i,
    'The model is called through an inference profile only: put the area before its id, such as "us." or "eu.", and deploy.',
  ],
  [
    /legacy|end of its life|retired|deprecated|model identifier is invalid|could not resolve the foundation model/i,
    "The region does not have this model, or it was retired: docs/models.md lists current ones. Set `model` and deploy.",
  ],
  [
    /ThrottlingException|too many/i,
    "The account's quota for this model is reached: ask Service Quotas for more.",
  ],
  [
    /AccessDenied/i,
    "Your credentials may not call the model: bedrock:InvokeModel on it is missing, or a policy of the organization denies it.",
  ],
];

/** @returns what an operator does about a refusal of Bedrock; undefined where nothing better than the message is known */
export const remedyOfRefusal = (error: unknown): string | undefined =>
  error instanceof AwsError ? meanings.find(([refused]) => refused.test(error.message))?.[1] : undefined;
