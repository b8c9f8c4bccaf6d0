/** Command lines of guides that are not run here, by how they begin, with the reason. */
const leftOut: readonly (readonly [start: string, reason: string])[] = [
  ["npm ci", "the copy has this checkout's packages"],
  ["npm test", "the suite is run by itself"],
  ["npm run pack", "npm run try:package runs it"],
  ["npx --package", "npm run try:package runs it"],
  ["cd my-agents", "npm run try:package runs it"],
  ["npm install", "npm run try:package runs it"],
  ["npx agent-platform", "npm run try:package runs it"],
  ["npx cdk bootstrap", "needs an AWS account"],
  ["npx cdk deploy", "needs an AWS account"],
  ["aws ", "needs an AWS account"],
  ["npm run --silent mint-admin-token -- --stack", "needs a deployed stack"],
];

/** Why a command is not run; undefined for one that is. */
export const reasonToLeaveOut = (command: string): string | undefined =>
  leftOut.find(([start]) => command.startsWith(start))?.[1];
