import { type AwsApi, connectAws } from "../doctor/aws/aws-api.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Reaches AWS with the caller's credentials; what is left out is found as the clients of AWS find it.
 *
 * @throws UsageError where there are no credentials or no region
 */
export async function reachAws(
  client: { readonly profile?: string | undefined; readonly region?: string | undefined } = {},
): Promise<AwsApi> {
  const { profile, region } = client;
  const given = { ...(profile !== undefined && { profile }), ...(region !== undefined && { region }) };
  return connectAws({ now: Date.now, client: given }).catch((error: Error) => {
    throw new UsageError(
      `AWS cannot be reached with your credentials: ${error.message}\nSign in (aws sso login, or AWS_PROFILE) and name a region (AWS_REGION), then try again.`,
    );
  });
}
