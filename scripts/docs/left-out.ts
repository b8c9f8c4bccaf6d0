/** Command lines of guides that are not run here, by how they begin, with the reason. */
const leftOut: readonly (readonly [start: string, reason: string])[] = [
  ["npm ci", "the copy has this checkout's packages"],
  ["npm test", "the suite is run by itself"],
  ["npx cdk bootstrap", "needs an AWS account"],
  ["npx cdk deploy", "needs an AWS account"],
  ["aws ", "needs an AWS account"],
  ["npm run --silent mint-admin-token -- --stack", "needs a deployed stack"],
];

/** Why a command is not run; undefined for one that is. */
export const reasonToLeaveOut = (command: string): string | undefined =>
  leftOut.find(([start]) => command.startsWith(start))?.[1];
