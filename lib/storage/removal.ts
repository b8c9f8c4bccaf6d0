import { RemovalPolicy } from "aws-cdk-lib";
import type { AppConfig } from "../config/config.ts";

/**
 * What becomes of a resource with data when its stack is deleted. A first deployment that fails takes along what it made:
 * what stays would only be in the way of the next one.
 */
export const removalOf = ({ disposable }: Pick<AppConfig, "disposable">): RemovalPolicy =>
  disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/**
 * The same for what is protected from deletion. A first deployment that fails leaves it behind, empty and under a name
 * that is not given again: CloudFormation could not delete it, and the stack would have to be repaired by hand.
 */
export const removalOfProtected = ({ disposable }: Pick<AppConfig, "disposable">): RemovalPolicy =>
  disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;
