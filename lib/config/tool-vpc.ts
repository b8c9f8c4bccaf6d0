import type { ISecurityGroup, IVpc, SubnetSelection } from "aws-cdk-lib/aws-ec2";

/** A network of the account's own that the functions which execute tools join, so that tools reach what is in it. */
export type ToolVpc = {
  readonly vpc: IVpc;
  /** Where their network interfaces are; the private subnets when absent. From a public one functions reach nothing outside. */
  readonly subnets?: SubnetSelection;
  /** What they may reach; a group of the deployment's own that lets everything out when absent. */
  readonly securityGroups?: readonly ISecurityGroup[];
};
