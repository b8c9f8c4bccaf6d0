/** Deploys and removes stages by the CDK's command line. */
export { removeStage } from "./remove-stage.ts";
export { runCdk } from "./run-cdk.ts";
