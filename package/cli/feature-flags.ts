import { CURRENT_VERSION_EXPIRED_FLAGS, FLAGS } from "aws-cdk-lib/cx-api";

/**
 * The CDK's feature flags with what each means while it is not set, so that templates stay as they are. Most are booleans; the CDK's
 * own `futureFlagDefault` throws for those that are not.
 */
export const flagsAsWithoutValue = (): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(FLAGS)
      .filter(([name]) => !CURRENT_VERSION_EXPIRED_FLAGS.includes(name))
      .map(([name, { unconfiguredBehavesLike }]) => [name, unconfiguredBehavesLike?.v2 ?? false]),
  );
