import type { FunctionName } from "../../lib/grants.ts";

/** Grants that stay although no platform of the suite needs them, and why. */
export type Justified = {
  readonly bundles: readonly FunctionName[] | "all";
  readonly actions: readonly string[];
  /** Short names of resources; `*` stands for any characters. */
  readonly on: readonly string[];
  readonly reason: string;
};

export const justified: readonly Justified[] = [
  {
    bundles: "all",
    actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
    on: ["*Logs"],
    reason: "Lambda writes the log with the function's role, and on this machine nothing stands for it.",
  },
  {
    bundles: "all",
    actions: [
      "sqs:ReceiveMessage",
      "sqs:ChangeMessageVisibility",
      "sqs:GetQueueUrl",
      "sqs:DeleteMessage",
      "sqs:GetQueueAttributes",
    ],
    on: ["*Queue", "DeadLetters"],
    reason: "Lambda polls the function's queue with the function's role. The CDK grants these five together.",
  },
  {
    bundles: "all",
    actions: ["s3:ListBucket"],
    on: ["*"],
    reason: "Without it S3 answers a missing object like a forbidden one.",
  },
];
