import { readSecret } from "../runtime/secrets/read-secret.ts";
import { version } from "../runtime/version.ts";
import { otlpHeaders } from "./otlp-headers.ts";

/** Who exports, and with which headers. */
export type OtlpSource = {
  readonly OS_ID: string;
  readonly STAGE: string;
  readonly OTLP_HEADERS_SECRET?: string | undefined;
  /** Of this machine, in place of the secret: the text of a JSON object. */
  readonly OTLP_HEADERS?: string | undefined;
};

/** Reads the headers of requests, once. */
export function headersFrom({ OTLP_HEADERS: given, OTLP_HEADERS_SECRET: secret }: OtlpSource) {
  const ofSecret = secret === undefined ? undefined : () => readSecret(secret);
  return otlpHeaders(given === undefined ? ofSecret : async () => given);
}

/**
 * Who has recorded what is exported: the instance by its name on the wire, its stage, and the version of the platform.
 *
 * @source OpenTelemetry semantic conventions 1.45, "Service" and "Deployment"
 */
export const resourceOf = ({ OS_ID, STAGE }: { readonly OS_ID: string; readonly STAGE: string }) => ({
  "service.name": OS_ID,
  "service.version": version,
  "deployment.environment.name": STAGE,
});
