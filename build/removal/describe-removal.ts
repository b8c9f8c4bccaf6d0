import type { Counted, RemovalPlan } from "./removal-plan.ts";

/** Where the removal happens, as far as it is known. */
export type RemovalPlace = {
  readonly stage: string;
  readonly account: string | undefined;
  readonly region: string | undefined;
};

/** What holds data is named one by one; of the rest the number is enough. */
const named = new Set([
  "AWS::Cognito::UserPool",
  "AWS::DynamoDB::GlobalTable",
  "AWS::KMS::Key",
  "AWS::S3::Bucket",
  "AWS::S3Vectors::VectorBucket",
]);

/** The lines that the user reads before a stage is removed. */
export function describeRemoval({ stage, account, region }: RemovalPlace, plan: RemovalPlan): string[] {
  const where = `account ${account ?? "of your credentials"}, region ${region ?? "of your configuration"}`;
  return [
    `Stage ${stage} (${where}), as this version and these settings would deploy it.`,
    ...section(
      "Removed",
      plan.removed.map(({ name, goes }) => ({ name, list: goes })),
    ),
    ...section(
      "Kept, and no part of a stack any more",
      plan.removed.map(({ name, stays }) => ({ name, list: stays })),
    ),
    ...section(
      "Not touched",
      plan.untouched.map(({ name, holds }) => ({ name, list: holds })),
    ),
  ];
}

type Part = { readonly name: string; readonly list: readonly Counted[] };

function section(title: string, parts: readonly Part[]): string[] {
  const filled = parts.filter(({ list }) => list.length > 0);
  if (filled.length === 0) return ["", `${title}: nothing.`];
  return ["", `${title}:`, ...filled.flatMap(({ name, list }) => [`  ${name}`, ...list.map(lineOf)])];
}

const lineOf = ({ type, names }: Counted): string => {
  const count = `    ${String(names.length).padStart(3)} ${type.replace(/^AWS::/, "")}`;
  return named.has(type) ? `${count}: ${names.join(", ")}` : count;
};
