import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "../../package/doctor/check.ts";
import { platformChecks } from "../../package/doctor/platform-checks.ts";
import { projectChecks } from "../../package/doctor/project-checks.ts";
import { stageChecks } from "../../package/doctor/stage-checks.ts";

/** Where the page is kept. */
export const doctorDocFile = join(import.meta.dirname, "../..", "docs", "doctor.md");

type Row = Pick<Check<never>, "name" | "asks" | "fails" | "remedy" | "isRequired">;

/** The page about the doctor, as Markdown. */
export const doctorDoc = (): string => `# Doctor

\`node scripts/docs/doctor-doc.ts\` generates this page from the tables that the command reads. A test compares them.

\`\`\`sh
npx agent-platform doctor                # this machine, and the platform that runs here
npx agent-platform doctor --stage prod   # a stage in your AWS account, from outside
npx agent-platform doctor --url https://agents.example.com   # a deployment, without AWS
\`\`\`

It changes nothing at AWS, and reads no value of a secret. \`--json\` prints every check with its verdict, and where each setting and
secret comes from. \`--no-run\` starts no sample run. The command ends with 0 only when every required check holds; one that could
not be asked does not hold. Required checks that fail are shown as \`WRONG\`, others as \`note\`.

\`--stage\` uses your AWS credentials as the CDK does, and \`AGENT_PLATFORM_TOKEN\` for what needs a token of the platform. It works before
the first deployment, too: what needs the stack is not examined then. Your credentials need these rights:
\`cloudformation:DescribeStacks\`, \`cloudformation:ListStackResources\`, \`cloudwatch:DescribeAlarms\`, \`sqs:GetQueueAttributes\`,
\`secretsmanager:DescribeSecret\`, \`lambda:GetAccountSettings\`, \`cloudfront:GetDistribution\`, \`cloudfront:ListDistributions\` and
\`bedrock:InvokeModel\`; for the first call of a model also \`aws-marketplace:Subscribe\` and \`aws-marketplace:ViewSubscriptions\`.

## Always: the project

${table(projectChecks)}

## With \`--stage\`: the account

${table(stageChecks)}

## The platform: here, of the stage, or at \`--url\`

${table(platformChecks)}
`;

function table(rows: readonly Row[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const shown = rows.map(({ name, asks, fails, remedy, isRequired }) =>
    line([name, asks, fails, remedy, isRequired ? "yes" : "no"]),
  );
  return [
    line(["Check", "What it asks", "When it fails", "What to do", "Required"]),
    "|---|---|---|---|---|",
    ...shown,
  ].join("\n");
}

if (import.meta.main) writeFileSync(doctorDocFile, doctorDoc());
